// SPDX-License-Identifier: Apache-2.0
// error: the handler's number of path parameters differs from the route's number of captures
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/users/{id}", [](apus::request&, int) {});
#else
    app.get("/users/{id}", [](apus::request&, int, int) {});
#endif
}
