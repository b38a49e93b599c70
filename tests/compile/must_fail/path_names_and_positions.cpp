// SPDX-License-Identifier: Apache-2.0
// error: a handler must take all captures of its route by name, as path<name, int>, or all by position
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/{a}/{b}", [](apus::path<"b", int> b, apus::path<"a", int> a) { return std::to_string(a + b); });
#else
    app.get("/{a}/{b}", [](apus::path<"b", int> b, int a) { return std::to_string(a + b); });
#endif
}
