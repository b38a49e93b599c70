// SPDX-License-Identifier: Apache-2.0
// error: a struct for input must be default-constructible: give each field a default
#include <apus/app.hpp>
#include <apus/json.hpp>

struct todo {
    int id;
};
struct fixed {
    struct number {
        int n;
        explicit number(int of) : n(of) {}
    } id;
};

void build(apus::app& app) {
#ifdef OK
    app.post("/", [](apus::json<todo>) {});
#else
    app.post("/", [](apus::json<fixed>) {});
#endif
}
