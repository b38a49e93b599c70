// SPDX-License-Identifier: Apache-2.0
#include "http/list_fields.hpp"

#include <doctest/doctest.h>

TEST_CASE("Vary names each field once") {
    const struct {
        std::string_view before, after;
    } rows[] = {{"", "Origin"},
                {"Accept", "Accept, Origin"},
                {"*", "*"},
                {"Origin", "Origin"},
                {"Accept, origin", "Accept, origin"},
                {"Accept ,ORIGIN ", "Accept ,ORIGIN "},
                {"X-Origin", "X-Origin, Origin"}};
    for (const auto& row : rows) {
        CAPTURE(row.before);
        apus::response res;
        if (!row.before.empty()) res.header("vary", row.before);
        apus::http::vary(res, "Origin");
        CHECK(res.header("vary") == row.after);
    }
}

TEST_CASE("Vary keeps the fields of several lines") {
    apus::response res;
    res.header("vary", "Accept").header("x", "y").header("Vary", "Accept-Encoding");
    apus::http::vary(res, "accept-encoding");
    CHECK(res.field_lines() == "vary: Accept\r\nx: y\r\nVary: Accept-Encoding\r\n");
    apus::http::vary(res, "Cookie");
    CHECK(res.field_lines() == "x: y\r\nvary: Accept, Accept-Encoding, Cookie\r\n");
}

TEST_CASE("all lines of a response field are joined") {
    apus::response res;
    CHECK(apus::http::whole_field(res, "cache-control").empty());
    res.header("Cache-Control", "max-age=60").header("x", "y").header("cache-control", "no-store");
    CHECK(apus::http::whole_field(res, "cache-control") == "max-age=60, no-store");
}
