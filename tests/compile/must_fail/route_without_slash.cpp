// SPDX-License-Identifier: Apache-2.0
// error: a route must start with '/'
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/users", [] {});
#else
    app.get("users", [] {});
#endif
}
