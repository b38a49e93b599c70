// SPDX-License-Identifier: Apache-2.0
// error: a path<name, T> of the handler names an unknown capture of the route
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/users/{id}", [](apus::path<"id", int> id) { return std::to_string(*id); });
#else
    app.get("/users/{id}", [](apus::path<"user", int> id) { return std::to_string(*id); });
#endif
}
