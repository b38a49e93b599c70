// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/entity_tag.hpp"
#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::codec::fields;
using namespace std::string_view_literals;

namespace {

std::string seen(std::string_view list) {
    std::string out;
    entity_tag tag;
    while (next_entity_tag(list, tag)) ((out += tag.weak ? "w:" : "s:") += tag.opaque) += ' ';
    return out;
}

struct row {
    std::string_view list;
    std::string_view tags;
};

constexpr row lists[] = {
    {"", ""},
    {R"("a")", "s:a "},
    {R"("")", "s: "},
    {R"(W/"a")", "w:a "},
    {R"("a", W/"b" ,"c")", "s:a w:b s:c "},
    {", ,\"a\",,\t\"b\",", "s:a s:b "},
    {R"("a,b", "c d")", "s:a,b "},
    {R"("a\"b")", R"(s:a\ )"},
    {R"("a" "b")", "s:a "},
    {R"("a"b, "c")", "s:a "},
    {R"(a)", ""},
    {R"(w/"a")", ""},
    {R"(W/ "a")", ""},
    {R"(W/a)", ""},
    {R"("a)", ""},
    {R"("a", "b)", "s:a "},
    {R"(*)", ""},
    {"\"\xc3\xa9\"", "s:\xc3\xa9 "},
    {"\"a\tb\"", ""},
    {"\"a\0b\""sv, ""},
};

}  // namespace

TEST_CASE("lists of entity tags are parsed up to the first malformed tag") {
    apus::test::page_end room(4096);
    for (const auto& [list, tags] : lists) {
        CAPTURE(list);
        CHECK(seen(room.place(list)) == tags);
    }
}

TEST_CASE("lists match a representation by strong and weak comparison") {
    struct naming {
        std::string_view list;
        entity_tag current;
        bool weakly, strongly;
    };
    // The table of RFC 9110, 8.8.3.2, and further lists.
    constexpr naming rows[] = {
        {R"(W/"1")", {"1", true}, true, false},      {R"(W/"1")", {"2", true}, false, false},
        {R"(W/"1")", {"1", false}, true, false},     {R"("1")", {"1", true}, true, false},
        {R"("1")", {"1", false}, true, true},        {R"("0", "1")", {"1", false}, true, true},
        {R"(W/"1", "1")", {"1", false}, true, true}, {R"(*)", {"1", true}, true, true},
        {R"( * )", {"1", false}, true, true},        {R"(*, "2")", {"1", false}, false, false},
        {R"("*")", {"1", false}, false, false},      {"", {"1", false}, false, false},
    };
    for (const auto& row : rows) {
        CAPTURE(row.list);
        CHECK(names(row.list, row.current, comparison::weak) == row.weakly);
        CHECK(names(row.list, row.current, comparison::strong) == row.strongly);
    }
}

TEST_CASE("a single entity tag") {
    entity_tag tag;
    CHECK(read_entity_tag(R"( W/"x" )", tag));
    CHECK(tag.opaque == "x");
    CHECK(tag.weak);
    for (const std::string_view none : {"", "x", R"("x", "y")", R"("x)", "*", "Sun, 06 Nov 1994 08:49:37 GMT"}) {
        CAPTURE(none);
        CHECK(!read_entity_tag(none, tag));
    }
}
