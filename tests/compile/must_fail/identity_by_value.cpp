// SPDX-License-Identifier: Apache-2.0
// error: a value set by middleware is taken by reference, such as const identity&
#include <apus/app.hpp>
#include <apus/identity.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [](const apus::identity&) {});
#else
    app.get("/", [](apus::identity) {});
#endif
}
