// SPDX-License-Identifier: Apache-2.0
// error: the handler has another number of path parameters than the route has captures
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/users/{id}", [](int) {});
#else
    app.get("/users/{id}", [] {});
#endif
}
