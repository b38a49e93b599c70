// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using apus::base::is_ascii;
using apus::base::is_utf8;
using apus::base::utf8_sequence;
using namespace std::string_view_literals;

namespace {

struct sequence {
    std::string_view bytes;
    std::size_t size;  // 0: invalid
};

constexpr sequence sequences[] = {
    {"a", 1},
    {"\0"sv, 1},
    {"\x7f", 1},
    {"\xc2\x80", 2},
    {"\xdf\xbf", 2},
    {"\xe0\xa0\x80", 3},
    {"\xed\x9f\xbf", 3},
    {"\xee\x80\x80", 3},
    {"\xef\xbf\xbf", 3},
    {"\xf0\x90\x80\x80", 4},
    {"\xf4\x8f\xbf\xbf", 4},
    // Invalid lead bytes.
    {"\x80", 0},
    {"\xbf", 0},
    {"\xc0\x80", 0},
    {"\xc1\xbf", 0},
    {"\xf5\x80\x80\x80", 0},
    {"\xff", 0},
    // Overlong sequences, surrogates, and code points over U+10FFFF.
    {"\xe0\x9f\xbf", 0},
    {"\xf0\x8f\xbf\xbf", 0},
    {"\xed\xa0\x80", 0},
    {"\xed\xbf\xbf", 0},
    {"\xf4\x90\x80\x80", 0},
    // Truncated sequences, or sequences without valid continuation.
    {"\xc2", 0},
    {"\xe2\x82", 0},
    {"\xf0\x9f\x98", 0},
    {"\xc2"
     "a",
     0},
    {"\xe2\x82"
     "a",
     0},
    {"\xf0\x9f\x98"
     "a",
     0},
};

}  // namespace

TEST_CASE("a byte above 0x7f is found at each place, for any length") {
    for (std::size_t size = 0; size < 40; ++size) {
        std::string text(size, '\x7f');
        CHECK(is_ascii(text));
        for (char& c : text) {
            c = '\x80';
            CHECK(!is_ascii(text));
            c = '\x7f';
        }
    }
}

TEST_CASE("the length of a UTF-8 sequence, or 0 if invalid") {
    for (const auto& s : sequences) {
        CAPTURE(s.bytes);
        CHECK(utf8_sequence(s.bytes, 0) == s.size);
        CHECK(is_utf8(s.bytes) == (s.size != 0));
    }
}

TEST_CASE("text is valid if each of its sequences is, at any position") {
    CHECK(is_utf8(""));
    for (const auto& s : sequences) {
        for (std::size_t before = 0; before < 20; ++before) {
            CAPTURE(s.bytes);
            CAPTURE(before);
            CHECK(is_utf8(std::string(before, 'x').append(s.bytes).append("0123456789")) == (s.size != 0));
        }
    }
}

TEST_CASE("invalid bytes are replaced, and valid sequences kept") {
    CHECK(apus::base::repaired_utf8("") == "");
    CHECK(apus::base::repaired_utf8("a\xc3\xa9\xf0\x9f\x98\x80") == "a\xc3\xa9\xf0\x9f\x98\x80");
    CHECK(apus::base::repaired_utf8("\xff"
                                    "a\xe2\x82") ==
          "\xef\xbf\xbd"
          "a\xef\xbf\xbd\xef\xbf\xbd");
}

TEST_CASE("every character is appended as one sequence") {
    for (unsigned point = 0; point <= 0x10ffff; point += point < 0x900 || point > 0xffc0 ? 61 : 97) {
        if (point >= 0xd800 && point < 0xe000) continue;
        std::string text;
        apus::base::append_utf8(text, point);
        CHECK(utf8_sequence(text, 0) == text.size());
    }
    std::string text;
    for (const unsigned point : {0x41U, 0x7fU, 0x80U, 0x7ffU, 0x800U, 0x20acU, 0xffffU, 0x10000U, 0x1f600U, 0x10ffffU})
        apus::base::append_utf8(text, point);
    CHECK(text ==
          "A\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xe2\x82\xac\xef\xbf\xbf\xf0\x90\x80\x80\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf");
}
