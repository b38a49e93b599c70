// SPDX-License-Identifier: Apache-2.0
#include "http/field_lines.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using apus::http::append_field;

TEST_CASE("a field line is added only if it is valid") {
    std::string lines = "a: b\r\n";
    append_field(lines, "X-Name", "a value");
    CHECK(lines == "a: b\r\nX-Name: a value\r\n");
    for (const char* name :
         {"", "a b", "a:", "Date", "connection", "Content-Length", "keep-alive", "transfer-encoding"}) {
        CAPTURE(name);
        CHECK_THROWS_AS(append_field(lines, name, "x"), std::invalid_argument);
    }
    for (const char* value : {"a\r\nb: c", "a\n", "\x01"})
        CHECK_THROWS_AS(append_field(lines, "a", value), std::invalid_argument);
    CHECK(lines == "a: b\r\nX-Name: a value\r\n");
}
