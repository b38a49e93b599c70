// SPDX-License-Identifier: Apache-2.0
#include "tracing/attribute_list.hpp"

#include "support/decoded_spans.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace {

struct text_case {
    std::string given, kept;
};

const std::string full(apus::tracing::max_text, 'x');
const text_case attribute_texts[] = {
    {"", ""},
    {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
    {"\xff", "\xef\xbf\xbd"},
    {"a\xc3", "a\xef\xbf\xbd"},
    {std::string("\0", 1), std::string("\0", 1)},
    {full, full},
    {full + "y", full},
    {full.substr(1) + "\xc3\xbc", full.substr(1)},  // cut before the character
    {full.substr(2) + "\xc3\xbc", full.substr(2) + "\xc3\xbc"},
    {full.substr(3) + "\xf0\x9f\x98\x80", full.substr(3)},
};

}  // namespace

TEST_CASE("attributes of spans: texts are truncated at the end of a character, and are valid UTF-8") {
    for (const auto& [given, kept] : attribute_texts) {
        CAPTURE(given);
        std::string to;
        apus::tracing::append_text(to, 1, given);
        REQUIRE(to.ends_with(kept));
        CHECK(to.size() == kept.size() + (kept.size() < 128 ? 2 : 3));
    }
}

TEST_CASE("attributes of spans: lists of any size are well-formed") {
    for (std::size_t size = 0; size < 1'030; ++size) {
        CAPTURE(size);
        apus::tracing::attribute_list list(9);
        list.add({"text", std::string(size, 'x')});
        list.add({"yes", true});
        list.add({"less", -1});
        list.add({"real", 1.5});
        const auto fields = apus::test::fields_of_message(list.bytes());
        REQUIRE(fields.size() == 4);
        CHECK(apus::test::attribute_of(fields[0].bytes).second.size() == std::min(size, apus::tracing::max_text));
        CHECK(apus::test::attribute_of(fields[1].bytes).second == "1");
    }
}

TEST_CASE("attributes of spans: empty fields are ignored, and the number is limited") {
    apus::tracing::attribute_list list(9);
    list.add({});
    CHECK(list.bytes().empty());
    for (unsigned i = 0; i < 70; ++i) list.add({"k", i});
    CHECK(list.dropped() == 70 - apus::tracing::attribute_list::max_count);
}

TEST_CASE("attributes: texts are encoded alike in both ways") {
    for (const std::string_view unit : {"x", "\xc3\xbc", "\xff"})
        for (std::size_t count = 0; count < 200; ++count) {
            std::string text;
            while (text.size() < count) text += unit;
            apus::tracing::attribute_list one(9), other(9);
            one.add_text("http.route", text);
            other.add({"http.route", text});
            CHECK(one.bytes() == other.bytes());
        }
    for (unsigned bit = 0; bit < 64; ++bit) {
        apus::tracing::attribute_list one(9), other(9);
        one.add_number("size", std::uint64_t{1} << bit);
        other.add({"size", std::uint64_t{1} << bit});
        CHECK(one.bytes() == other.bytes());
    }
    apus::tracing::attribute_list many(9);
    for (unsigned i = 0; i < apus::tracing::attribute_list::max_count + 3; ++i) many.add_text("a", "b");
    CHECK(many.bytes().size() == apus::tracing::attribute_list::max_count * 10);
    CHECK(many.dropped() == 3);
}
