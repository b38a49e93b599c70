// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/cookie.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::codec::fields;
using namespace std::string_view_literals;

namespace {

// Returns "a=1|b=2|" for the cookies in the field.
std::string seen(std::string_view field) {
    std::string out;
    while (const auto c = next_cookie(field)) out.append(c->name).append("=").append(c->value).append("|");
    return out;
}

std::string written(const set_cookie& c) {
    std::string text(room_for(c), '\0');
    text.resize(static_cast<std::size_t>(write(c, text.data()) - text.data()));
    return text;
}

std::string fault(const set_cookie& c) {
    const char* found = fault_in(c);
    return found ? found : "";
}

}  // namespace

TEST_CASE("cookie: Cookie fields are parsed") {
    const struct {
        std::string_view field, cookies;
    } rows[] = {
        {"", ""},
        {"a=1", "a=1|"},
        {"a=1; b=2", "a=1|b=2|"},
        {"a=1;b=2", "a=1|b=2|"},
        {"a=1;; b=2;", "a=1|b=2|"},
        {"  a \t=\t 1  ;  b=2  ", "a=1|b=2|"},
        {"a=", "a=|"},
        {"a=b=c", "a=b=c|"},
        {"a==", "a==|"},
        {"=1; b=2", "b=2|"},
        {"lonely; b=2", "b=2|"},
        {";", ""},
        {"=", ""},
        {"a=1; a=2", "a=1|a=2|"},
        {"a=\"quoted\"", "a=\"quoted\"|"},
        {"a=\"in;side\"; b=2", "a=\"in|b=2|"},  // quotes do not protect a semicolon
        {"a={\"k\":[1,2]}", "a={\"k\":[1,2]}|"},
        {"a=caf\xc3\xa9", "a=caf\xc3\xa9|"},
        {"$Version=1; a=1", "$Version=1|a=1|"},
        {"=__Host-id=evil", ""},
        {"A=1; a=2", "A=1|a=2|"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.field);
        CHECK(seen(row.field) == row.cookies);
    }
}

TEST_CASE("cookie: Set-Cookie fields are written") {
    CHECK(written({.name = "a", .value = "1"}) == "a=1; Path=/");
    CHECK(written({.name = "a", .value = "", .path = ""}) == "a=");
    CHECK(written({.name = "a",
                   .value = "1",
                   .path = "/x",
                   .domain = "example.org",
                   .same_site = "None",
                   .max_age = 60,
                   .secure = true,
                   .http_only = true,
                   .partitioned = true}) ==
          "a=1; Path=/x; Domain=example.org; Max-Age=60; Secure; HttpOnly; SameSite=None; Partitioned");
    const set_cookie longest{.name = "a",
                             .value = "1",
                             .domain = "example.org",
                             .same_site = "Strict",
                             .max_age = INT64_MIN,
                             .secure = true,
                             .http_only = true,
                             .partitioned = true};
    CHECK(written(longest).size() <= room_for(longest));
}

TEST_CASE("cookie: cookies that a browser would drop or misread are rejected with a message") {
    const auto name = "the name of a cookie must be a token: letters, digits and marks such as '-'"sv;
    const auto value =
        "the value of a cookie must not contain control characters, spaces, quotes, commas, semicolons or "
        "backslashes: encode it"sv;
    const auto path =
        "the path of a cookie must begin with '/' and must not contain control characters or semicolons"sv;
    const auto domain =
        "the domain of a cookie may contain only letters, digits, '-' and '.', and must begin with a letter or digit"sv;
    const auto host = "a cookie whose name begins with __Host- must be secure, with the path / and without a domain"sv;
    const std::string large(4096, 'x');
    const struct {
        set_cookie cookie;
        std::string_view fault;
    } rows[] = {
        {{.name = "a", .value = "1"}, ""},
        {{.name = "a", .value = "\"1\""}, ""},
        {{.name = "", .value = "1"}, name},
        {{.name = "a b", .value = "1"}, name},
        {{.name = "a=b", .value = "1"}, name},
        {{.name = "a;b", .value = "1"}, name},
        {{.name = "a\r\nb", .value = "1"}, name},
        {{.name = "caf\xc3\xa9", .value = "1"}, name},
        {{.name = "a", .value = "1; Domain=evil.example"}, value},
        {{.name = "a", .value = "1\r\nSet-Cookie: b=2"}, value},
        {{.name = "a", .value = "a b"}, value},
        {{.name = "a", .value = "a,b"}, value},
        {{.name = "a", .value = "a\\b"}, value},
        {{.name = "a", .value = "\""}, value},
        {{.name = "a", .value = "\"a"}, value},
        {{.name = "a", .value = "caf\xc3\xa9"}, value},
        {{.name = "a", .value = "a\0b"sv}, value},
        {{.name = "a", .value = large}, "name and value of a cookie may have at most 4096 bytes together"},
        {{.name = "a", .value = "1", .path = "x"}, path},
        {{.name = "a", .value = "1", .path = "/;Domain=x"}, path},
        {{.name = "a", .value = "1", .path = "/\n"}, path},
        {{.name = "a", .value = "1", .domain = ".example.org"}, domain},
        {{.name = "a", .value = "1", .domain = "example.org; Secure"}, domain},
        {{.name = "__Host-a", .value = "1", .secure = true}, ""},
        {{.name = "__Host-a", .value = "1"}, host},
        {{.name = "__hOST-a", .value = "1"}, host},
        {{.name = "__Host-a", .value = "1", .path = "/x", .secure = true}, host},
        {{.name = "__Host-a", .value = "1", .path = "", .secure = true}, host},
        {{.name = "__Host-a", .value = "1", .domain = "x", .secure = true}, host},
        {{.name = "__Secure-a", .value = "1", .domain = "x", .secure = true}, ""},
        {{.name = "__Secure-a", .value = "1"}, "a cookie whose name begins with __Secure- must be secure"},
        {{.name = "a", .value = "1", .same_site = "None"}, "a cookie with SameSite=None must be secure"},
        {{.name = "a", .value = "1", .partitioned = true}, "a partitioned cookie must be secure"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.cookie.name);
        CAPTURE(row.cookie.value);
        CHECK(fault(row.cookie) == row.fault);
    }
}
