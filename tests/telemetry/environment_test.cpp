// SPDX-License-Identifier: Apache-2.0
#include "telemetry/environment.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace {

// Returns the pairs as text, or "invalid".
std::string shown(std::string_view list) {
    const auto all = apus::telemetry::parse_pairs(list);
    if (!all) return "invalid";
    std::string text;
    for (const auto& [name, value] : *all) text += "[" + name + "|" + value + "]";
    return text;
}

}  // namespace

TEST_CASE("lists of pairs in environment variables") {
    constexpr std::string_view cases[][2] = {
        {"", ""},
        {"a=b", "[a|b]"},
        {"a=b,c=d", "[a|b][c|d]"},
        {" a = b\t, c=d ,", "[a|b][c|d]"},
        {"authorization=Basic%20YTpi,x==", "[authorization|Basic YTpi][x|=]"},
        {"a=", "[a|]"},
        {"a=%2C%3D", "[a|,=]"},
        {"a", "invalid"},
        {"=b", "invalid"},
        {"a=b,c", "invalid"},
        {"a=%zz", "invalid"},
        {"a=%00", "invalid"},
        {"a=%ff", "invalid"},
    };
    for (const auto& [list, pairs] : cases) {
        CAPTURE(list);
        CHECK(shown(list) == pairs);
    }
}
