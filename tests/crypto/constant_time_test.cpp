// SPDX-License-Identifier: Apache-2.0
#include "crypto/constant_time.hpp"

#include <doctest/doctest.h>

using apus::crypto::same_secret;
using namespace std::string_view_literals;

TEST_CASE("secrets are compared in full") {
    CHECK(same_secret("", ""));
    CHECK(same_secret("s3cret", "s3cret"));
    CHECK(same_secret("a\0b"sv, "a\0b"sv));
    CHECK_FALSE(same_secret("a\0b"sv, "a\0c"sv));
    CHECK_FALSE(same_secret("s3cret", "s3cres"));
    CHECK_FALSE(same_secret("s3cret", "t3cret"));
    CHECK_FALSE(same_secret("s3cret", "s3cre"));
    CHECK_FALSE(same_secret("", "s"));
}
