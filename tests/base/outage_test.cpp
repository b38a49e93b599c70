// SPDX-License-Identifier: Apache-2.0
#include "base/outage.hpp"

#include <doctest/doctest.h>

using apus::base::outage;

TEST_CASE("a service that works may always be tried") {
    outage o;
    CHECK(o.may_try(1));
    CHECK(o.may_try(1));
    CHECK_FALSE(o.end());
}

TEST_CASE("a service that fails is tried once per pause, and its beginning and end are reported once") {
    outage o;
    CHECK(o.begin(5'000));
    CHECK_FALSE(o.begin(5'000));
    CHECK_FALSE(o.may_try(5'999));
    CHECK(o.may_try(6'000));
    CHECK_FALSE(o.may_try(6'000));
    CHECK(o.may_try(7'000));
    CHECK(o.end());
    CHECK_FALSE(o.end());
    CHECK(o.may_try(7'000));
}
