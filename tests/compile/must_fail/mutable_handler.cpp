// SPDX-License-Identifier: Apache-2.0
// error: a handler must not be mutable: one object serves concurrent requests
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [] {});
#else
    app.get("/", [n = 0]() mutable { ++n; });
#endif
}
