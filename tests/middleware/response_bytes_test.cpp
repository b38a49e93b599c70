// SPDX-License-Identifier: Apache-2.0
#include "middleware/response_bytes.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::middleware;

TEST_CASE("bytes of a response: its parts are read as they were written; a cut response is invalid") {
    stored_response page;
    page.type = "text/plain";
    page.body = std::string("a\0\r\n", 4);
    page.fields = {{"Location", "/a"}, {"X-Empty", ""}};
    std::string bytes;
    append_response(bytes, page);
    stored_response read;
    REQUIRE(read_response(bytes, read));
    CHECK(read.type == page.type);
    CHECK(read.body == page.body);
    CHECK(read.fields == page.fields);
    std::size_t whole = 0;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        stored_response cut;
        whole += read_response(bytes.substr(0, size), cut) ? 1 : 0;
    }
    CHECK(whole == 2);  // without the last field, and without both
}

TEST_CASE("bytes of a response: fields that a handler cannot set are invalid") {
    for (const auto& field : {std::pair("Content-Length", "1"), std::pair("Transfer-Encoding", "chunked"),
                              std::pair("a b", "c"), std::pair("", "c"), std::pair("a", "b\r\nc: d")}) {
        CAPTURE(field.first);
        stored_response page;
        page.fields.emplace_back(field);
        std::string bytes;
        append_response(bytes, page);
        stored_response read;
        CHECK_FALSE(read_response(bytes, read));
    }
}
