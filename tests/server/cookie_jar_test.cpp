// SPDX-License-Identifier: Apache-2.0
#include "server/cookie_jar.hpp"

#include <doctest/doctest.h>

using apus::server::cookie_jar;

TEST_CASE("cookies are stored by name, replaced, and expire") {
    struct row {
        const char* lines;
        const char* sent;
    };
    const row table[] = {
        {"Set-Cookie: a=1; Path=/; HttpOnly\r\nset-cookie: b=x=y\r\n", "a=1; b=x=y"},
        {"set-cookie: a=2\r\nx-set-cookie: c=3\r\n", "b=x=y; a=2"},
        {"set-cookie: b=; Path=/; Max-Age=0\r\n", "a=2"},
        {"set-cookie: d=4; Max-Age=100\r\nset-cookie: none\r\n", "a=2; d=4"},
        {"set-cookie: d=; max-age=-1\r\n", "a=2"},
    };
    cookie_jar jar;
    for (const auto& [lines, sent] : table) {
        jar.take(std::string("HTTP/1.1 200 OK\r\n") + lines + "\r\n");
        CHECK(jar.line() == sent);
    }
    CHECK(jar.value("a") == "2");
    CHECK(jar.value("b") == "");
    jar.clear();
    CHECK(jar.line() == "");
}
