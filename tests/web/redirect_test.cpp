// SPDX-License-Identifier: Apache-2.0
#include <apus/redirect.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace std::string_view_literals;

TEST_CASE("redirects encode any bytes in their target") {
    struct row {
        std::string_view to;
        std::string_view location;
    };
    constexpr row rows[] = {
        {"/x", "/x"},
        {"https://example.org/a?b=c#d", "https://example.org/a?b=c#d"},
        {"http://[::1]:80/", "http://[::1]:80/"},
        {"/a b", "/a%20b"},
        {"/caf\xc3\xa9", "/caf%C3%A9"},
        {"/a%20b", "/a%20b"},
        {"/\"<>\\^`{|}", "/%22%3C%3E%5C%5E%60%7B%7C%7D"},
        {"?page=2", "?page=2"},
    };
    for (const auto& [to, location] : rows) CHECK(apus::redirect(303, to).header("location") == location);
    for (const int status : {301, 302, 303, 307, 308}) CHECK(apus::redirect(status, "/").status() == status);
}

TEST_CASE("a redirect with control characters or another status is rejected") {
    for (const std::string_view to : {""sv, "/a\r\nset-cookie: x=1"sv, "/a\nb"sv, "/a\0b"sv, "/\x7f"sv, "/\tb"sv})
        CHECK_THROWS_AS(apus::redirect(303, to), std::invalid_argument);
    for (const int status : {200, 204, 300, 304, 305, 306, 309, 400})
        CHECK_THROWS_AS(apus::redirect(status, "/x"), std::invalid_argument);
}

TEST_CASE("a target from a client cannot redirect to another host") {
    for (const std::string_view to :
         {"/", "/orders?page=2", "/a//b", "/http://example.org", "/@example.org", "/a/../b"}) {
        CAPTURE(to);
        REQUIRE(apus::redirect_within(303, to));
        CHECK(apus::redirect_within(303, to)->header("location") == to);
    }
    // clang-format off
    for (const std::string_view to : {
        ""sv, "orders"sv, "https://example.org/"sv, "//example.org"sv, "///example.org"sv, "/\\example.org"sv,
        "\\/example.org"sv, "\\\\example.org"sv, "/\t/example.org"sv, "/\n/example.org"sv, "/\r/example.org"sv,
        " //example.org"sv, "\t//example.org"sv, "javascript:alert(1)"sv, "data:text/html,x"sv, "http:example.org"sv,
        "@example.org"sv, "/a\0"sv, "/a\\b"sv, "?to=//x"sv, "#x"sv
    }) {
        CAPTURE(to);
        const auto refused = apus::redirect_within(303, to);
        REQUIRE(!refused);
        CHECK(refused.error().status() == 400);
    }
    // clang-format on
}

TEST_CASE("pages, redirects and cookies as a client sees them") {
    apus::app app;
    app.get("/page", [] { return apus::response::html("<!doctype html><title>x</title>"); });
    app.get("/old", [] { return apus::redirect(308, "/page"); });
    app.get("/back/{to...}",
            [](apus::request& req, std::string_view) { return apus::redirect_within(303, req.query()); });
    app.get("/cookies", [] {
        apus::response res;
        res.header("set-cookie", "a=1; Path=/").header("set-cookie", "b=2; Path=/; HttpOnly");
        return res;
    });
    apus::test::client c(std::move(app));

    const auto page = c.get("/page");
    CHECK(page.header("content-type") == "text/html; charset=utf-8");
    CHECK(page.body == "<!doctype html><title>x</title>");
    const auto old = c.get("/old");
    CHECK(old.status == 308);
    CHECK(old.header("location") == "/page");
    CHECK(old.header("content-length") == "0");
    CHECK(c.get("/back/x?/orders").status == 303);
    CHECK(c.get("/back/x?//example.org").status == 400);
    const auto cookies = c.get("/cookies");
    CHECK(cookies.head.find("set-cookie: a=1; Path=/\r\nset-cookie: b=2; Path=/; HttpOnly\r\n") != std::string::npos);
}
