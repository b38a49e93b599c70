// SPDX-License-Identifier: Apache-2.0
#include "codec/trace_context/baggage.hpp"
#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace {

using apus::codec::trace_context::baggage;

std::string members_of_baggage(unsigned count, std::size_t value_size) {
    std::string all;
    for (unsigned i = 0; i < count; ++i)
        all += (i ? ",k" : "k") + std::to_string(i) + "=" + std::string(value_size, 'v');
    return all;
}

struct baggage_case {
    std::vector<std::string> fields;
    std::string printed;
};

const baggage_case accepted_baggage[] = {
    {{}, ""},
    {{""}, ""},
    {{"userId=alice"}, "userId=alice"},
    {{"a=1,b=2", "c="}, "a=1,b=2,c="},
    {{" a\t=\t1 , b = 2 ;p;q = x "}, "a=1,b=2;p;q = x"},
    {{"serverNode=DF%2028,isProduction=false;ttl=3"}, "serverNode=DF%2028,isProduction=false;ttl=3"},
    {{"a=1=2"}, "a=1=2"},
    {{"a=1,a=2"}, "a=1,a=2"},  // keys may repeat
    {{members_of_baggage(64, 1)}, members_of_baggage(64, 1)},
    {{"a=" + std::string(8190, 'v')}, "a=" + std::string(8190, 'v')},
};

const std::vector<std::string> rejected_baggage[] = {
    {"a"},
    {"=1"},
    {"a b=1"},
    {"a=1 2"},
    {"a=\"1\""},
    {"a=\\"},
    {"a=\xc3\xa4"},
    {std::string("a=\0", 3)},
    {"a=1;"},
    {"a=1;=2"},
    {"a=1;p q"},
    {"a=1;p=\""},
    {"a=1", "b"},
    {members_of_baggage(65, 1)},
    {"a=" + std::string(8191, 'v')},
    {"a=" + std::string(5000, 'v'), "b=" + std::string(5000, 'v')},
};

}  // namespace

TEST_CASE("trace context: baggage is parsed and printed") {
    apus::test::page_end room(16'384);
    for (const auto& [fields, printed] : accepted_baggage) {
        CAPTURE(printed);
        baggage found;
        for (const auto& field : fields)
            CHECK(found.add(fields.size() == 1 ? room.place(field) : std::string_view(field)));
        std::string out = "x";
        found.append(out);
        CHECK(out == "x" + printed);
        CHECK(found.empty() == printed.empty());
    }
}

TEST_CASE("trace context: invalid values of baggage are rejected") {
    for (const auto& fields : rejected_baggage) {
        CAPTURE(fields.back());
        baggage found;
        bool valid = true;
        for (const auto& field : fields) valid = valid && found.add(field);
        CHECK(!valid);
    }
}
