// SPDX-License-Identifier: Apache-2.0
#include "support/direct.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using apus::app;
using namespace apus::support;

namespace {

app site() {
    app a;
    a.get("/", [] { return "home"; });
    a.get("/users/{id}", [](int id) { return "user " + std::to_string(id); });
    a.put("/users/{id}", [](int, apus::body_text body) { return std::string(body.bytes); });
    a.options("/own", [] { return "mine"; });
    a.head("/own", [] {});
    a.get("/files/{path...}", [](std::string_view path) { return path; });
    return a;
}

}  // namespace

TEST_CASE("requests are routed to their handlers") {
    direct to(site());
    check_answers(to, {
                          {"GET /", "200 home"},
                          {"GET /?a=b", "200 home"},
                          {"GET http://localhost/", "200 home"},
                          {"GET http://localhost", "200 home"},
                          {"HEAD /", "200 home"},
                          {"GET /users/7", "200 user 7"},
                          {"PUT /users/7", "200"},
                          {"OPTIONS /own", "200 mine"},
                          {"HEAD /own", "204"},
                          {"GET /files/a/b", "200 a/b"},
                      });
    CHECK(to.ask("PUT /users/7", "new name") == "200 new name");
}

TEST_CASE("unmatched requests get 404 or 405 with the allowed methods") {
    direct to(site());
    struct row {
        std::string request;
        std::string problem;
        std::string allow;
    };
    const row rows[] = {
        {"GET /nothing", "404", ""},
        {"POST /nothing", "404", ""},
        {"OPTIONS /nothing", "404", ""},
        {"POST /", "405 this method is not allowed for the path", "GET, HEAD, OPTIONS"},
        {"TRACE /", "405 this method is not allowed for the path", "GET, HEAD, OPTIONS"},
        {"GET /own", "405 this method is not allowed for the path", "HEAD, OPTIONS"},
        {"DELETE /users/abc", "405 this method is not allowed for the path", "GET, HEAD, PUT, OPTIONS"},
        {"BREW /", "501 the server does not support this method", ""},
        {"QUERY /", "405 this method is not allowed for the path", "GET, HEAD, OPTIONS"},
        {"BREW /nothing", "501 the server does not support this method", ""},
        {"CONNECT localhost:80", "501 the server does not support this method", ""},
    };
    for (const auto& row : rows) {
        CAPTURE(row.request);
        CHECK(to.problem(row.request) == row.problem);
        CHECK(to.header("allow") == row.allow);
    }
}

TEST_CASE("OPTIONS lists the allowed methods") {
    direct to(site());
    CHECK(to.ask("OPTIONS /users/1") == "204");
    CHECK(to.header("allow") == "GET, HEAD, PUT, OPTIONS");
    CHECK(to.ask("OPTIONS *") == "204");
}

TEST_CASE("conflicting routes are an error at start") {
    app part;
    part.get("/{b}", [](int) {});
    app whole;
    whole.get("/x/{a}", [](int) {});
    whole.mount("/x", std::move(part));
    CHECK_THROWS_WITH_AS(apus::web::application(std::move(whole)),
                         "GET \"/x/{b}\" matches the same paths as \"/x/{a}\", which was added before",
                         std::logic_error);
}

TEST_CASE("a route's plan records how the handler takes the body") {
    using apus::http::body_mode;
    struct row {
        std::string path;
        body_mode body;
    };
    const auto later = [](apus::request& req) -> apus::task<> { co_await req.body(); };
    app a;
    a.get("/ignored", [](apus::request&) { return "a"; });
    a.get("/no-request", []() -> apus::task<std::string> { co_return "a"; });
    a.get("/whole", [](apus::request&, apus::body_text) {});
    a.get("/whole-later", [](apus::request&, apus::body_text) -> apus::task<> { co_return; });
    a.get("/streamed", later);
    a.get("/may-stream", [] { return apus::response(); });
    a.get("/bounded", [] {}, {.body = 7, .handler = apus::seconds(2)});

    direct to(std::move(a));
    const row rows[] = {{"GET /ignored", body_mode::ignored},   {"GET /no-request", body_mode::ignored},
                        {"GET /whole", body_mode::whole},       {"GET /whole-later", body_mode::whole},
                        {"GET /streamed", body_mode::streamed}, {"GET /may-stream", body_mode::streamed},
                        {"GET /none", body_mode::ignored}};
    for (const auto& row : rows) {
        CAPTURE(row.path);
        to.send(row.path);
        CHECK(to.exchange().plan->body == row.body);
    }
    to.send("GET /bounded");
    CHECK(to.exchange().plan->limits.body == 7);
    CHECK(to.exchange().plan->limits.handler == apus::seconds(2));
}
