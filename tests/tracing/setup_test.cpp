// SPDX-License-Identifier: Apache-2.0
#include "tracing/setup.hpp"

#include <apus/tracing.hpp>

#include <doctest/doctest.h>

TEST_CASE("tracer: copies share one configuration") {
    const apus::tracer none;
    CHECK(!none);
    apus::tracer first(apus::tracing_options{.service = "shop"});
    const apus::tracer second = first;
    CHECK(second.operator->() == first.operator->());
    first = {};
    CHECK(!first);
    CHECK(second);
}
