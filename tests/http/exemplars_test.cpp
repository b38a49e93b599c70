// SPDX-License-Identifier: Apache-2.0
#include "http/exemplars.hpp"

#include "http/core.hpp"
#include "tracing/trace.hpp"

#include <doctest/doctest.h>

using namespace apus;

TEST_CASE("the exemplar of a bucket is the newest recorded request") {
    tracing::recorder by({});
    http::lazy_exemplars all;
    CHECK(all.get() == nullptr);
    http::exemplar found;
    for (int i = 0; i < 2; ++i) {
        auto* const trace = new tracing::trace(by, nullptr, true);
        all.add(*trace, http::core::nanoseconds() - 20'000'000'000, trace->clock.now());
        const auto& slots = *all.get();
        REQUIRE(slots.back().read(found));  // 20 s
        CHECK(found.trace == trace->id());
        CHECK(found.took >= 20'000'000'000);
        CHECK_FALSE(slots.front().read(found));
        trace->release();
    }
}

TEST_CASE("the numbers of a route take less memory than the guide says") {
    static_assert(sizeof(http::route_counters) < 300);
    static_assert(sizeof(http::exemplar_set) < 1024);
}
