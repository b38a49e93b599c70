// SPDX-License-Identifier: Apache-2.0
#include "base/short_vector.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using apus::base::short_vector;

TEST_CASE("a short vector keeps its items in order, below and above the number that it stores itself") {
    short_vector<int, 3> list;
    for (int round = 0; round < 2; ++round) {
        std::vector<int> expected;
        for (int i = 0; i < 8; ++i) {
            CHECK(list.size() == expected.size());
            CHECK(std::ranges::equal(list.all(), expected));
            list.push_back(i);
            expected.push_back(i);
            CHECK(list.back() == i);
        }
        list.back() = 100;
        CHECK(list.all()[7] == 100);
        list.clear();
        CHECK(list.all().empty());
    }
}
