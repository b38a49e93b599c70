// SPDX-License-Identifier: Apache-2.0
// error: a handler is a function or a lambda whose parameters have types, not auto
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/{id}", [](int) {});
#else
    app.get("/{id}", [](auto) {});
#endif
}
