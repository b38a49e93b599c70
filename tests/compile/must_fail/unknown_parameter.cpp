// SPDX-License-Identifier: Apache-2.0
// error: take a struct of the request as json<T>, query<T> or form<T>
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.post("/", [](apus::body_text) {});
#else
    app.post("/", [](apus::limits) {});
#endif
}
