// SPDX-License-Identifier: Apache-2.0
#include "base/utf8_checker.hpp"

#include "base/utf8.hpp"
#include "base/utf8_blocks.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace apus::base;

namespace {

// A simple reference implementation: the table of RFC 3629, 4, one character at a time.
bool is_utf8_slowly(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = utf8_sequence(text, at);
        if (size == 0) return false;
        at += size;
    }
    return true;
}

// Returns "whole", "cut", or the number of bytes after which the text was rejected.
std::string seen(std::string_view text, std::size_t step) {
    utf8_checker check;
    for (std::size_t at = 0; at < text.size(); at += step)
        if (!check.append(text.substr(at, step))) return std::to_string(at + step);
    return check.complete() ? "whole" : "cut";
}

struct example {
    std::string_view text, seen;
};

// Cases such as those of Autobahn's section 6.4: the last byte of each makes it invalid.
constexpr example examples[] = {
    {"", "whole"},
    {"plain", "whole"},
    {"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5", "whole"},
    {"\xce\xba\xe1\xbd\xb9\xf4\x90\x80\x80", "7"},
    {"a\xf0\x9f\x98\x80z", "whole"},
    {"a\xf0\x9f\x98", "cut"},
    {"a\xe2\x82", "cut"},
    {"a\xc3", "cut"},
    {"\xe2\x28\xa1", "2"},
    {"\xe2\x82\x28", "3"},
    {"\xc0\x80", "1"},
    {"\xc1", "1"},
    {"\xf5", "1"},
    {"\xff", "1"},
    {"\x80", "1"},
    {"\xe0\x80\x80", "2"},
    {"\xed\xa0\x80", "2"},
    {"\xf0\x80\x80\x80", "2"},
    {"\xf4\x8f\xbf\xbf", "whole"},
};

std::string pieces_of_all_kinds(unsigned seed) {
    constexpr std::string_view kinds[] = {"a",
                                          "\xc3\xa9",
                                          "\xe2\x82\xac",
                                          "\xf0\x9f\x98\x80",
                                          "sixteen bytes so",
                                          "\xe0\xa0\x80",
                                          "\xf4\x8f\xbf\xbf",
                                          "\xed\x9f\xbf"};
    std::string text;
    for (int i = 0; i < 30; ++i) text += kinds[(seed = seed * 1'664'525 + 1'013'904'223) >> 29];
    return text;
}

}  // namespace

TEST_CASE("text in pieces is rejected at the first invalid byte") {
    for (const auto& e : examples) {
        CAPTURE(e.text);
        CHECK(seen(e.text, 1) == e.seen);
        const bool good = e.seen == "whole" || e.seen == "cut";
        for (const std::size_t step : {std::size_t(2), std::size_t(3), std::size_t(64)}) {
            if (good) CHECK(seen(e.text, step) == e.seen);
            else CHECK((seen(e.text, step) != "whole" && seen(e.text, step) != "cut"));
        }
    }
}

TEST_CASE("the vectorized check agrees with the scalar one, for every changed byte") {
    if (!has_utf8_blocks()) return;
    for (unsigned seed = 1; seed <= 8; ++seed) {
        std::string text = pieces_of_all_kinds(seed);
        CHECK(is_utf8_by_blocks(text));
        for (std::size_t at = 0; at < text.size(); ++at) {
            const char before = text[at];
            for (unsigned byte = 0; byte < 256; byte += byte < 0x80 ? 0x1f : 1) {
                text[at] = static_cast<char>(byte);
                if (is_utf8_by_blocks(text) != is_utf8_slowly(text))
                    FAIL("at " << at << " a byte of " << byte << " in text " << seed);
            }
            text[at] = before;
            if (is_utf8_by_blocks(std::string_view(text).substr(0, at)) !=
                is_utf8_slowly(std::string_view(text).substr(0, at)))
                FAIL("cut at " << at);
        }
    }
}
