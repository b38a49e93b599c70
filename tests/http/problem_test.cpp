// SPDX-License-Identifier: Apache-2.0
#include "http/problem.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using apus::http::problem;
using apus::http::reason_phrase;
using namespace std::string_view_literals;

TEST_CASE("a problem document has status, title and detail") {
    auto p = problem(404, "no such user");
    CHECK(p.status() == 404);
    CHECK(p.media_type() == "application/problem+json");
    CHECK(p.body() == "{\"status\":404,\"title\":\"Not Found\",\"detail\":\"no such user\"}\n");
    CHECK(problem(500, "").body() == "{\"status\":500,\"title\":\"Internal Server Error\"}\n");
    CHECK(problem(599, "").body() == "{\"status\":599,\"title\":\"Unknown\"}\n");
}

TEST_CASE("a detail of any bytes gives a valid UTF-8 document") {
    struct {
        std::string_view detail, text;
    } const cases[] = {
        {"plain", "plain"},
        {"say \"so\"", "say \\\"so\\\""},
        {"c:\\a", "c:\\\\a"},
        {"a\r\nb\tc", "a\\u000d\\u000ab\\u0009c"},
        {"\0"sv, "\\u0000"},
        {"\x7f", "\\u007f"},
        {"gr\xc3\xbc\xc3\x9f, \xe2\x82\xac, \xf0\x9f\x90\xa6", "gr\xc3\xbc\xc3\x9f, \xe2\x82\xac, \xf0\x9f\x90\xa6"},
        {"\xff", "\\ufffd"},
        {"a\x80z", "a\\ufffdz"},
        {"\xc3", "\\ufffd"},
        {"\xe2\x82", "\\ufffd\\ufffd"},
        {"\xc3\"", "\\ufffd\\\""},
        {"\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"},
    };
    for (const auto& c : cases) {
        CAPTURE(c.text);
        CHECK(problem(400, c.detail).body() ==
              "{\"status\":400,\"title\":\"Bad Request\",\"detail\":\"" + std::string(c.text) + "\"}\n");
    }
}

TEST_CASE("every status in the server or the documentation has a reason phrase") {
    for (int status : {100, 101, 200, 201, 204, 304, 400, 404, 405, 408, 411,
                       413, 414, 415, 417, 422, 426, 431, 500, 501, 503, 505}) {
        CAPTURE(status);
        CHECK(reason_phrase(status) != "Unknown");
    }
    CHECK(reason_phrase(599) == "Unknown");
}
