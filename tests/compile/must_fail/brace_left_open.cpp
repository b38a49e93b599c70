// SPDX-License-Identifier: Apache-2.0
// error: unmatched '{' in a route
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/users/{id}", [](int) {});
#else
    app.get("/users/{id", [](int) {});
#endif
}
