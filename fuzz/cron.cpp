// SPDX-License-Identifier: Apache-2.0
#include "jobs/cron.hpp"

#include "property.hpp"

#include <cstring>
#include <vector>

// The input is a time, followed by the expression.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using apus::fuzz::must;
    std::uint32_t time = 0;
    if (size < sizeof time) return 0;
    std::memcpy(&time, data, sizeof time);
    const std::vector<char> in(data + sizeof time, data + size);

    const auto made = apus::jobs::cron::parse({in.data(), in.size()});
    if (!made) {
        must(!made.error().empty(), "an invalid expression has a reason");
        return 0;
    }
    const auto next = made->after(time);
    must(next.has_value(), "an accepted expression has a next tick");
    must(*next > time && *next % 60 == 0, "the next tick is a later full minute");
    must(made->at_or_before(*next) == next, "at the time of a tick, the last tick is this tick");
    const auto last = made->at_or_before(time);
    must(!last || (*last <= time && made->after(*last) == next), "the tick after the last tick is the next one");
    return 0;
}
