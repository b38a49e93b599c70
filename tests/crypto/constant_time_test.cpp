// SPDX-License-Identifier: Apache-2.0
#include <apus/secret.hpp>

#include <doctest/doctest.h>

using apus::constant_time_equal;
using namespace std::string_view_literals;

TEST_CASE("secrets are compared in full") {
    CHECK(constant_time_equal("", ""));
    CHECK(constant_time_equal("s3cret", "s3cret"));
    CHECK(constant_time_equal("a\0b"sv, "a\0b"sv));
    CHECK_FALSE(constant_time_equal("a\0b"sv, "a\0c"sv));
    CHECK_FALSE(constant_time_equal("s3cret", "s3cres"));
    CHECK_FALSE(constant_time_equal("s3cret", "t3cret"));
    CHECK_FALSE(constant_time_equal("s3cret", "s3cre"));
    CHECK_FALSE(constant_time_equal("", "s"));
}
