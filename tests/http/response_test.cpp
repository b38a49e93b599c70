// SPDX-License-Identifier: Apache-2.0
#include <apus/http.hpp>
#include <apus/stream.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

using apus::response;
using namespace std::string_view_literals;

TEST_CASE("field lines cannot contain line breaks") {
    struct {
        std::string_view name, value;
        bool taken;
    } const cases[] = {
        {"x-a", "b", true},
        {"x-a", "", true},
        {"x-a", "a\tb c", true},
        {"x-a", "gr\xc3\xbc\xc3\x9f", true},
        {"X!#$%&'*+-.^_`|~9", "b", true},
        {"x-a", "b\r\nset-cookie: c", false},
        {"x-a", "b\r", false},
        {"x-a", "b\nc", false},
        {"x-a", "b\0c"sv, false},
        {"x-a", "b\x1b[31m", false},
        {"x-a", "b\x7f", false},
        {"", "b", false},
        {"x a", "b", false},
        {"x-a:", "b", false},
        {"x-a\r\nx-b", "b", false},
        {"x-\xc3\xbc", "b", false},
    };
    for (const auto& c : cases) {
        CAPTURE(c.name);
        CAPTURE(c.value);
        response res;
        if (c.taken) {
            CHECK_NOTHROW(res.header(c.name, c.value));
            CHECK(res.header(c.name) == c.value);
        } else {
            CHECK_THROWS_AS(res.header(c.name, c.value), std::invalid_argument);
            CHECK(res.field_lines().empty());
        }
    }
}

TEST_CASE("framing fields are set by the server only") {
    for (auto name : {"Content-Length", "TRANSFER-ENCODING", "connection", "Date", "keep-alive"}) {
        CAPTURE(name);
        response res;
        CHECK_THROWS_AS(res.header(name, "1"), std::invalid_argument);
        CHECK(res.field_lines().empty());
    }
}

TEST_CASE("fields keep their order, are case-insensitive, and can be removed") {
    response res;
    res.header("set-cookie", "a=1")
        .header("x-b", "2")
        .header("Set-Cookie", "c=3")
        .header("x-d", "4")
        .header("SET-COOKIE", "e=5");
    CHECK(res.field_lines() == "set-cookie: a=1\r\nx-b: 2\r\nSet-Cookie: c=3\r\nx-d: 4\r\nSET-COOKIE: e=5\r\n");
    CHECK(res.header("SET-cookie") == "a=1");
    CHECK(res.header("X-D") == "4");
    CHECK(res.header("x") == "");
    res.remove_header("x");
    res.remove_header("set-Cookie");
    CHECK(res.field_lines() == "x-b: 2\r\nx-d: 4\r\n");
    res.remove_header("x-b").remove_header("x-d");
    CHECK(res.field_lines().empty());
    res.remove_header("x-b");
    CHECK(res.field_lines().empty());
}

TEST_CASE("a value that looks like a field name is not one") {
    response res;
    res.header("x-a", "x-b: 1").header("x-c", ":");
    CHECK(res.header("x-b") == "");
    CHECK(res.header("x-c") == ":");
    res.remove_header("x-b");
    CHECK(res.field_lines() == "x-a: x-b: 1\r\nx-c: :\r\n");
}

TEST_CASE("the last Content-Type replaces earlier ones") {
    response res = response::text("{}");
    CHECK(res.media_type() == "text/plain; charset=utf-8");
    res.header("Content-Type", "image/svg+xml");
    CHECK(res.media_type() == "image/svg+xml");
    res.header("content-type", "text/css");
    CHECK(res.media_type() == "text/css");
    CHECK(res.field_lines() == "content-type: text/css\r\n");
    res.body("{}", "application/json");
    CHECK(res.media_type() == "application/json");
    CHECK(res.field_lines().empty());
    res.body("x", "application/x-own");
    CHECK(res.media_type() == "application/x-own");
    res.body("y", "application/x-other");
    CHECK(res.field_lines() == "content-type: application/x-other\r\n");
    CHECK_THROWS_AS(res.body("z", "text/plain\r\nx-a: b"), std::invalid_argument);
}

TEST_CASE("the last body replaces earlier ones") {
    response res = response::literal("static");
    CHECK(res.body() == "static");
    CHECK(res.has_literal());
    res.body("own", "text/plain");
    CHECK(res.body() == "own");
    CHECK_FALSE(res.has_literal());
    CHECK(response::literal("").has_literal());
    CHECK(response().body().empty());
}

TEST_CASE("moving a response moves its parts, and clearing it releases them") {
    struct counted {
        int* alive;
        explicit counted(int& n) : alive(&n) { ++n; }
        counted(const counted& other) : alive(other.alive) { ++*alive; }
        ~counted() { --*alive; }
    };
    int alive = 0;
    {
        response res = apus::stream("text/plain", [c = counted(alive)](apus::writer&) -> apus::task<> { co_return; });
        res.status(202).header("x-a", "b");
        CHECK(alive == 1);
        response other(std::move(res));
        CHECK(other.status() == 202);
        CHECK(other.header("x-a") == "b");
        CHECK(alive == 1);
        other = response::text("plain");
        CHECK(other.body() == "plain");
        CHECK(other.header("x-a").empty());
        other.clear();
        CHECK(other.status() == 200);
        CHECK(other.body().empty());
        CHECK(other.media_type().empty());
    }
    CHECK(alive == 0);
}
