// SPDX-License-Identifier: Apache-2.0
// error: the handler takes another number of path values than the route captures
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/users/{id}", [](int) {});
#else
    app.get("/users/{id}", [] {});
#endif
}
