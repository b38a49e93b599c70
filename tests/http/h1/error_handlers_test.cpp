// SPDX-License-Identifier: Apache-2.0
#include "http/h1/wire.hpp"
#include "http/shaped_app.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using namespace apus::test;

namespace {

std::string shaped_of(std::string_view request) {
    wire w(shaped_app());
    w.send(request);
    const std::string all = w.rest();
    const std::size_t body = all.find("\r\n\r\n");
    CAPTURE(all);
    REQUIRE(body != all.npos);
    return all.substr(9, 3) + " " + all.substr(body + 4);
}

}  // namespace

TEST_CASE("on_error generates HTTP/1.1 errors, also before routing") {
    const std::string end = " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    CHECK(shaped_of("GET /nowhere?q" + end) == "404 outer 404 /nowhereqa0\n");
    CHECK(shaped_of("GET /in/nowhere" + end) == "404 inner 404 /in/nowherea0\n");
    CHECK(shaped_of("HEAD /in/nowhere" + end) == "404 ");
    CHECK(shaped_of("GET /in/late" + end) == "409 inner 409 /in/latea0\n");
    CHECK(shaped_of("GET /in/never" + end) == "503 inner 503 /in/nevera0\n");
    CHECK(shaped_of("GET /in/invalid" + end) == "500 inner 500 /in/invalida0\n");
    CHECK(shaped_of("GET /in/upgrade" + end) == "426 inner 426 /in/upgradea0\n");
    CHECK(shaped_of("GET /in/pieces" + end).ends_with("\r\none \r\n4\r\ntwo\n\r\n0\r\n\r\n"));
    CHECK(shaped_of("POST /in/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n12345678901") ==
          "413 inner 413 /in/echoa0\n");
    CHECK(shaped_of("POST /in/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n12345678901\r\n") ==
          "413 inner 413 /in/echoa0\n");
    CHECK(shaped_of("POST /in/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n") ==
          "400 inner 400 /in/echoa0\n");
    CHECK(shaped_of("GET /in/late?x HTTP/1.1\r\nHost a\r\n\r\n") == "400 outer 400 0\n");
    CHECK(shaped_of("nonsense\r\n\r\n") == "400 outer 400 0\n");
    CHECK(shaped_of("GET /" + std::string(20'000, 'x') + end) == "414 outer 414 0\n");
}

TEST_CASE("on_error sees nothing of the previous request") {
    wire w(shaped_app());
    w.send("GET /in/nowhere?secret HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/9.9\r\n\r\n");
    const std::string all = w.rest();
    CHECK(all.contains("inner 404 /in/nowheresecreta0\n"));
    CHECK(all.ends_with("outer 505 0\n"));
}

TEST_CASE("204 and 304 have neither a body nor a type") {
    app a;
    a.get("/204", [] { return response::text("not sent").status(204); });
    a.get("/304", [] { return response::text("not sent").status(304).header("etag", "\"a\""); });
    wire w(std::move(a));
    for (const char* path : {"/204", "/304"}) {
        CAPTURE(path);
        w.connect();
        w.send("GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        const std::string all = w.rest();
        CHECK(all.ends_with("\r\n\r\n"));
        CHECK_FALSE(all.contains("Content-"));
        CHECK_FALSE(all.contains("content-"));
    }
}
