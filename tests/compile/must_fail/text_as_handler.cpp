// SPDX-License-Identifier: Apache-2.0
// error: a handler is a function or a lambda whose parameters have types, not auto
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [] { return "hello"; });
#else
    app.get("/", "hello");
#endif
}
