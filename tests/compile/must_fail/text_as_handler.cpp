// SPDX-License-Identifier: Apache-2.0
// error: a handler must be a function or a lambda with typed parameters, not auto
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [] { return "hello"; });
#else
    app.get("/", "hello");
#endif
}
