// SPDX-License-Identifier: Apache-2.0
// error: a rest capture, {name...}, must be last in a route
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/a/{path...}", [](std::string) {});
#else
    app.get("/{path...}/a", [](std::string) {});
#endif
}
