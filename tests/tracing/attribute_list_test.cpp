// SPDX-License-Identifier: Apache-2.0
#include "tracing/attribute_list.hpp"

#include <doctest/doctest.h>

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

TEST_CASE("attributes of spans: empty fields are ignored, and the number is limited") {
    apus::tracing::attribute_list list(9);
    list.add({});
    CHECK(list.bytes().empty());
    for (unsigned i = 0; i < 70; ++i) list.add({"k", i});
    CHECK(list.dropped() == 70 - apus::tracing::attribute_list::max_count);
}
