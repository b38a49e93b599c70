// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/json.hpp>

#include <memory>

struct todo {
    int id = 0;
    std::shared_ptr<int> parent;
};

void build(apus::app& app) {
    app.post("/todos", [](apus::json<todo> sent) { return sent->id ? "old\n" : "new\n"; });
}
