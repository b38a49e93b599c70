// SPDX-License-Identifier: Apache-2.0
#include "codec/trace_context/state.hpp"
#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace {

using apus::codec::trace_context::state;

std::string members_of_state(unsigned count, std::size_t value_size) {
    std::string all;
    for (unsigned i = 0; i < count; ++i)
        all += (i ? ",k" : "k") + std::to_string(i) + "=" + std::string(value_size, 'v');
    return all;
}

struct state_case {
    std::vector<std::string> fields;
    std::string printed;
};

const state_case accepted_states[] = {
    {{}, ""},
    {{""}, ""},
    {{"a=1"}, "a=1"},
    {{"a=1,b=2"}, "a=1,b=2"},
    {{"a=1", "b=2"}, "a=1,b=2"},  // several fields are one list
    {{" \ta=1 \t,\t b=2 "}, "a=1,b=2"},
    {{",a=1,,b=2,"}, "a=1,b=2"},
    {{"congo=t61rcWkgMzE,rojo=00f067aa0ba902b7"}, "congo=t61rcWkgMzE,rojo=00f067aa0ba902b7"},
    {{"fw529a3039@dt=FfAAAQAAAAEAAAAL, 0tenant@v=1"}, "fw529a3039@dt=FfAAAQAAAAEAAAAL,0tenant@v=1"},
    {{"a_-*/1= x y"}, "a_-*/1= x y"},
    {{std::string(256, 'k') + "=" + std::string(255, 'v')}, std::string(256, 'k') + "=" + std::string(255, 'v')},
    {{members_of_state(32, 1)}, members_of_state(32, 1)},
    // longer than 512 bytes: first without members over 128 bytes, then without the last members
    {{"a=1,l=" + std::string(200, 'v') + ",b=2,m=" + std::string(256, 'v') + ",c=" + std::string(60, 'v')},
     "a=1,b=2,c=" + std::string(60, 'v')},
    {{members_of_state(32, 20)}, members_of_state(20, 20)},
    {{std::string(256, 'k') + "=" + std::string(256, 'v')}, ""},
};

const std::vector<std::string> rejected_states[] = {
    {"a"},
    {"=1"},
    {"a="},
    {"a=1=2"},
    {"a=1,a=2"},
    {"a=1", "a=2"},
    {"A=1"},
    {"1a=1"},
    {"a b=1"},
    {"a =1"},
    {"@v=1"},
    {"t@=1"},
    {"t@1v=1"},
    {"t@v@w=1"},
    {std::string(257, 'k') + "=1"},
    {std::string(242, 't') + "@v=1"},
    {"t@" + std::string(15, 'v') + "=1"},
    {"a=" + std::string(257, 'v')},
    {"a=\x7f"},
    {"a=\xc3\xa4"},
    {std::string("a=\0", 3)},
    {"a=\tb"},
    {members_of_state(33, 1)},
};

}  // namespace

TEST_CASE("trace context: tracestate is parsed and printed within its limits") {
    apus::test::page_end room(16'384);
    for (const auto& [fields, printed] : accepted_states) {
        CAPTURE(printed);
        state found;
        for (const auto& field : fields)
            CHECK(found.add(fields.size() == 1 ? room.place(field) : std::string_view(field)));
        std::string out = "x";
        found.append(out);
        CHECK(out == "x" + printed);
        CHECK(out.size() - 1 <= state::max_size);
    }
}

TEST_CASE("trace context: invalid values of tracestate are rejected") {
    for (const auto& fields : rejected_states) {
        CAPTURE(fields.back());
        state found;
        bool valid = true;
        for (const auto& field : fields) valid = valid && found.add(field);
        CHECK(!valid);
    }
}
