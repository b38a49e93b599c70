// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/priority.hpp"

#include <doctest/doctest.h>

#include <string_view>

using apus::codec::fields::priority;
using apus::codec::fields::read_priority;

TEST_CASE("priorities of responses are parsed, and invalid ones are ignored") {
    struct {
        std::string_view value;
        int urgency;
        bool incremental;
    } const cases[] = {
        {"", 3, false},         {"u=0", 0, false},         {"u=7, i", 7, true},       {"i,u=1", 1, true},
        {"i=?1", 3, true},      {"i, i=?0", 3, false},     {"u=5;x=1, i;y", 5, true}, {"u=1, u=2", 2, false},
        {"u=8", 3, false},      {"u=-1", 3, false},        {"u=12", 3, false},        {"u", 3, false},
        {"u=a, i=1", 3, false}, {"x=9, y, u=2", 2, false}, {",,,", 3, false},
    };
    for (const auto& one : cases) {
        CAPTURE(one.value);
        priority p;
        read_priority(one.value, p);
        CHECK(int{p.urgency} == one.urgency);
        CHECK(p.incremental == one.incremental);
    }
}
