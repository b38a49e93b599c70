// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/json.hpp>

#include <string_view>

struct todo {
    std::string_view what;
};

void build(apus::app& app) {
    app.post("/todos", [](apus::json<todo> sent) { return sent->what.empty() ? "no\n" : "yes\n"; });
}
