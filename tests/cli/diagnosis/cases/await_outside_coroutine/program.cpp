// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/sleep.hpp>

#include <chrono>

using namespace std::chrono_literals;

void build(apus::app& app) {
    app.get("/", [] {
        co_await apus::sleep_for(1s);
        return "late\n";
    });
}
