// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>

#include <string>
#include <string_view>

void build(apus::app& app) {
    app.get("/{name}", [](std::string_view name) -> std::string_view {
        std::string greeting = "hello ";
        greeting += name;
        return greeting;
    });
}
