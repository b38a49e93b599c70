// SPDX-License-Identifier: Apache-2.0
// error: a route holds only what a path may hold: percent-encode the rest
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/a%20b", [] {});
#else
    app.get("/a b", [] {});
#endif
}
