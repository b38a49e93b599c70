// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.hpp"
#include "base/ascii_scan.hpp"
#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <string>

using namespace apus::base;

namespace {

using scan = const char* (*)(readable, const char*);
using portable_scan = const char* (*)(const char*, const char*);

struct skipper {
    const char* name;
    scan fast;
    portable_scan slow;
};

constexpr skipper skippers[] = {
    {"value", skip_value, portable::skip_value},
    {"token", skip_token, portable::skip_token},
    {"path", skip_path, portable::skip_path},
    {"query", skip_query, portable::skip_query},
    {"host name", skip_host_name, portable::skip_host_name},
};

}  // namespace

TEST_CASE("character classes follow the grammars") {
    for (unsigned b = 0; b < 256; ++b) {
        CAPTURE(b);
        const char c = static_cast<char>(b);
        const bool word = b < 128 && std::isalnum(static_cast<int>(b)) != 0;
        const auto among = [&](std::string_view marks) { return b != 0 && marks.contains(c); };
        CHECK(is(c, token_byte) == (word || among("!#$%&'*+-.^_`|~")));
        CHECK(is(c, path_byte) == (word || among("-._~!$&'()*+,;=:@/")));
        CHECK(is(c, query_byte) == (word || among("-._~!$&'()*+,;=:@/?[]{}|^`")));
        CHECK(is(c, name_of_host_byte) == (word || among("-._~!$&'()*+;=")));
        CHECK(is(c, value_byte) == (b == 9 || (b >= 32 && b != 127)));
        CHECK((hex_value(c) >= 0) == (b < 128 && std::isxdigit(static_cast<int>(b)) != 0));
    }
}

TEST_CASE("case-insensitive comparison covers ASCII letters only") {
    CHECK(same_word("Keep-ALIVE", "keep-alive"));
    CHECK(!same_word("keep-alive ", "keep-alive"));
    CHECK(!same_word("keep\ralive", "keep-alive"));
    CHECK(!same_word("chun\xe2\x84\xaa", "chunked"));
    CHECK(same_name("hOsT", "host"));
    CHECK(same_name("Transfer-ENCODING", "transfer-encoding"));
    CHECK(!same_name("Transfer-ENCODINf", "transfer-encoding"));
    CHECK(!same_name("Content_Length", "content-length"));
}

TEST_CASE("words end at a single space") {
    std::string_view text = "a  bc d";
    for (const std::string_view word : {"a", "", "bc", "d", ""}) CHECK(take_word(text) == word);
    text = "a ";
    CHECK(take_word(text) == "a");
    CHECK(text.empty());
}

TEST_CASE("a run ends at the first byte of another class, for any length and alignment") {
    apus::test::page_end room(4096);
    for (const skipper& skips : skippers) {
        CAPTURE(skips.name);
        for (unsigned b = 0; b < 256; ++b) {
            for (std::size_t size = 1; size < 40; ++size) {
                for (std::size_t at : {std::size_t{0}, size / 3, size / 2, size - 1}) {
                    std::string text(size, 'a');
                    text[at] = static_cast<char>(b);
                    const auto in = room.place(text);
                    const char* end = in.data() + in.size();
                    const char* slow = skips.slow(in.data(), end);
                    CHECK((slow == in.data() + at || slow == end));
                    CHECK(skips.fast({in.data(), end}, in.data()) == slow);
                    CHECK(skips.fast({in.data(), end}, in.data() + size / 4) == skips.slow(in.data() + size / 4, end));
                }
            }
        }
    }
}
