// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>

struct todo {
    int id = 0;
};

void build(apus::app& app) {
    app.post("/todos", [](apus::json<todo> sent) { return sent->id ? "old\n" : "new\n"; });
}
