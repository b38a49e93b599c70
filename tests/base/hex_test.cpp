// SPDX-License-Identifier: Apache-2.0
#include "base/hex.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

TEST_CASE("each byte is two digits") {
    using namespace std::string_view_literals;
    CHECK(apus::base::hex("").empty());
    CHECK(apus::base::hex("\x00\x09\x10\x7f\x80\xab\xff"sv) == "0009107f80abff");
    std::string to = "x";
    apus::base::append_hex(to, "az");
    CHECK(to == "x617a");
}
