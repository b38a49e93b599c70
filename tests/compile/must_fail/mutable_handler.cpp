// SPDX-License-Identifier: Apache-2.0
// error: a handler is not mutable: one object serves many requests at a time
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [] {});
#else
    app.get("/", [n = 0]() mutable { ++n; });
#endif
}
