// SPDX-License-Identifier: Apache-2.0
// error: is not a constant expression
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/{name}", [](std::string) { return apus::literal("hello"); });
#else
    app.get("/{name}", [](std::string name) { return apus::literal(name); });
#endif
}
