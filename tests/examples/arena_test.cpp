// SPDX-License-Identifier: Apache-2.0
#include "arena/app.hpp"

#include <apus/test.hpp>
#include <doctest/doctest.h>

#include <string>

TEST_CASE("the arena adds up query and body") {
    apus::test::client client(arena::make_app());
    CHECK(client.get("/baseline11?a=13&b=42").body == "55");
    CHECK(client.get("/baseline11?b=-3&c=x").body == "-3");
    CHECK(client.get("/baseline11").body == "0");
    CHECK(client.post("/baseline11?a=13&b=42", "20").body == "75");
}

TEST_CASE("the arena says what is no number") {
    apus::test::client client(arena::make_app());
    struct row {
        const char* target;
        const char* body;
        const char* says;
    };
    const row rows[] = {
        {"/baseline11?a=x", "1", "a value of the query is a whole number"},
        {"/baseline11?a=1", "1 ", "the body is a whole number"},
        {"/baseline11?a=9223372036854775807&b=1", "0", "the sum has more than 64 bits"},
        {"/baseline11?a=9223372036854775807", "1", "the sum has more than 64 bits"},
    };
    for (const row& row : rows) {
        const auto answer = client.post(row.target, row.body);
        CHECK(answer.status == 400);
        CHECK(answer.body.find(row.says) != std::string::npos);
    }
}

TEST_CASE("the arena counts what is uploaded, up to 32 MiB") {
    apus::test::client client(arena::make_app());
    CHECK(client.get("/pipeline").body == "ok");
    CHECK(client.post("/upload", "").body == "0");
    CHECK(client.post("/upload", std::string(1'000'000, 'x')).body == "1000000");
    CHECK(client.post("/upload", std::string(33 * 1024 * 1024, 'x')).status == 413);
}
