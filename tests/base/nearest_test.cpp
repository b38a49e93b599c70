// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.hpp"

#include <doctest/doctest.h>

#include <array>

using apus::base::nearest;

TEST_CASE("a misspelt word has the nearest candidate, if one is near") {
    constexpr std::array<std::string_view, 4> known{"host", "port", "database_url", "x"};
    const struct {
        std::string_view word, found;
    } cases[] = {
        {"hots", "host"},   // swapped
        {"prt", "port"},    // missing
        {"porte", "port"},  // additional
        {"host", "host"},   // the same
        {"data_base_uri", "database_url"},
        {"y", "x"},
        {"", "x"},
        {"listen", ""},
        {"postgres", ""},
    };
    for (const auto& [word, found] : cases) {
        CAPTURE(word);
        CHECK(nearest(word, known) == found);
    }
    CHECK(nearest("host", {}).empty());
}
