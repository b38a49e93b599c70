// SPDX-License-Identifier: Apache-2.0
#include "server/log_text.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::server;

TEST_CASE("text that does not fit is left out and can be undone") {
    char bytes[8];
    bounded_text out(bytes, sizeof bytes);
    out.put("12345");
    out.put("6789");
    CHECK(out.overflowed());
    CHECK(std::string(bytes, out.size()) == "12345");
    out.truncate(3);
    CHECK_FALSE(out.overflowed());
    out.put("45678");
    CHECK_FALSE(out.overflowed());
    out.put('9');
    CHECK(out.overflowed());
    CHECK(std::string(bytes, out.size()) == "12345678");
}

TEST_CASE("only unambiguous logfmt values are unquoted") {
    for (auto text : {"a", "/path?x;y", "127.0.0.1:80", "{}", "a,b"}) CHECK(is_bare(text));
    for (auto text : {"", " ", "a b", "a=b", "a\"", "a\\", "a\n", "\x7f", "\xc3\xbc"}) CHECK_FALSE(is_bare(text));
}

TEST_CASE("quoted text ends with its bytes") {
    char bytes[64];
    bounded_text out(bytes, sizeof bytes);
    put_quoted(out, std::string_view("\xe2\x82\xac", 2));  // the last byte of the sign is outside the text
    CHECK(std::string(bytes, out.size()) == "\"\xef\xbf\xbd\xef\xbf\xbd\"");
}
