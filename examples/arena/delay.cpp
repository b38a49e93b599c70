// SPDX-License-Identifier: Apache-2.0
#include "arena/delay.hpp"

#include <apus/sleep.hpp>

#include <cstdint>
#include <string>

namespace arena {
namespace {

apus::task<std::string> delay(std::uint32_t ms) {
    if (ms > 10'000) co_return apus::fail(400, "the delay must be at most 10,000 ms");
    co_await apus::sleep_for(apus::milliseconds(ms));
    co_return std::to_string(ms);
}

}  // namespace

void add_delay(apus::app& app) { app.get("/delay/{ms}", delay); }

}  // namespace arena
