// SPDX-License-Identifier: Apache-2.0
// error: a route contains a character that is not allowed in a path: percent-encode it
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/a%20b", [] {});
#else
    app.get("/a b", [] {});
#endif
}
