// SPDX-License-Identifier: Apache-2.0
#include "showcase/app.hpp"

#include <apus/test.hpp>
#include <apus/test/database.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using apus::test::client;
using apus::test::response;

namespace {

const std::string json_problem = "application/problem+json";
const std::string plain = "text/plain; charset=utf-8";

bool holds(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("showcase: each route responds") {
    client to(showcase::make_app());
    struct row {
        const char* verb;
        const char* target;
        const char* body;
        int status;
        std::string type;
        const char* answer;
    };
    const row rows[] = {
        {"GET", "/bench", "", 200, plain, "Hello, World!"},
        {"GET", "/json", "", 200, "application/json", R"({"message":"Hello, World!"})"},
        {"GET", "/users/7", "", 200, plain, "user 7\n"},
        {"GET", "/users/4294967295", "", 200, plain, "user 4294967295\n"},
        {"POST", "/echo", "a\nb", 200, plain, "a\nb"},
        {"POST", "/echo", "", 200, plain, ""},
        {"POST", "/upload", "12345", 200, plain, "5 bytes\n"},
        {"GET", "/slow?ms=0", "", 200, plain, "waited for 0 ms\n"},
        {"GET", "/slow?other=1&ms=1", "", 200, plain, "waited for 1 ms\n"},
        {"GET", "/blocking?below=100", "", 200, plain, "25 primes below 100\n"},
        {"GET", "/blocking?below=20000&here=1", "", 200, plain, "2262 primes below 20000, found on this core\n"},
        {"GET", "/download?mb=0", "", 200, "application/octet-stream", ""},
    };
    for (const auto& r : rows) {
        CAPTURE(r.verb);
        CAPTURE(r.target);
        const response a = to.send(r.verb, r.target, r.body);
        CHECK(a.status == r.status);
        CHECK(a.header("content-type") == r.type);
        CHECK(a.body == r.answer);
    }
}

TEST_CASE("showcase: errors are problem documents") {
    client to(showcase::make_app());
    struct row {
        const char* verb;
        const char* target;
        int status;
        const char* detail;
    };
    const row rows[] = {
        {"GET", "/users/x", 400, "`id` must be an integer"},
        {"GET", "/users/-1", 400, "`id`"},
        {"GET", "/users/4294967296", 400, "`id`"},
        {"GET", "/download?mb=10001", 400, "mb must be a number from 0 to 10000"},
        {"GET", "/slow?ms=", 400, "ms must be a number"},
        {"GET", "/slow?ms=1x", 400, "ms must be a number"},
        {"GET", "/blocking?below=-1", 400, "below must be a number"},
        {"GET", "/error", 409, "the order has been sent already"},
        {"GET", "/crash", 500, "internal error"},
        {"GET", "/none", 404, "Not Found"},
        {"POST", "/bench", 405, "this method is not allowed for the path"},
        {"GET", "/echo", 405, "this method is not allowed for the path"},
        {"GET", "/upgrade", 426, "shout"},
        {"GET", "/admin/visits", 403, "ADMIN_TOKEN"},
    };
    for (const auto& r : rows) {
        CAPTURE(r.target);
        const response a = to.send(r.verb, r.target, "");
        CHECK(a.status == r.status);
        CHECK(a.header("content-type") == json_problem);
        CHECK_MESSAGE(holds(a.body, r.detail), a.body);
    }
    CHECK_FALSE(holds(to.get("/crash").body, "only the log"));
}

TEST_CASE("showcase: the download has the requested size") {
    client to(showcase::make_app());
    for (std::size_t mebibytes : {1u, 3u}) {
        const response a = to.get("/download?mb=" + std::to_string(mebibytes));
        CHECK(a.body.size() == mebibytes * 1024 * 1024);
        CHECK(a.body.find_first_not_of('x') == std::string::npos);
    }
    const response head = to.head("/download?mb=1");
    CHECK(head.status == 200);
    CHECK(head.body.empty());
}

TEST_CASE("showcase: the upload has a larger body limit") {
    client to(showcase::make_app());
    const std::string large(3 * 1024 * 1024, 'x');
    CHECK(to.post("/upload", large).body == "3145728 bytes\n");
    CHECK(to.post("/echo", large).status == 413);
}

TEST_CASE("showcase: admin requires the whole token") {
    client to(showcase::make_app("open sesame"));
    const std::pair<const char*, int> tokens[] = {
        {"", 401},
        {"open sesame", 401},
        {"Bearer", 401},
        {"Bearer open sesam", 401},
        {"Bearer open sesame!", 401},
        {"Bearer open Sesame", 401},
        {"Bearer open sesame", 200},
    };
    for (const auto& [token, status] : tokens) {
        CAPTURE(token);
        const response a = to.get("/admin/visits", {{"Authorization", token}});
        CHECK(a.status == status);
        CHECK(a.header("www-authenticate") == (status == 401 ? "Bearer" : ""));
        CHECK(a.header("server-timing").starts_with("app;dur="));
    }
    CHECK(to.get("/admin/visits", {{"Authorization", "Bearer open sesame"}}).body == "visit 2 to this core\n");
}

TEST_CASE("showcase: the slow route reports its time") {
    client to(showcase::make_app());
    const response a = to.get("/slow?ms=30");
    const std::string timing(a.header("server-timing"));
    REQUIRE(timing.starts_with("app;dur="));
    CHECK(std::stod(timing.substr(8)) >= 29);
    CHECK(to.get("/bench").header("server-timing").empty());
}

TEST_CASE("showcase: the page lists each route and escapes the host") {
    client to(showcase::make_app());
    const response a = to.get("/", {{"Host", "example.org:81"}});
    CHECK(a.status == 200);
    CHECK(a.header("content-type") == "text/html; charset=utf-8");
    CHECK(a.header("content-security-policy").starts_with("default-src 'none'"));
    for (const char* target : {"/bench", "/json", "/users/7", "/echo", "/download?mb=50", "/upload", "/upgrade",
                               "/slow?ms=1500", "/blocking?below=500000", "/error", "/crash", "/admin/visits"}) {
        CAPTURE(target);
        CHECK(holds(a.body, "&#39;http://example.org:81" + std::string(target) + "&#39;"));
    }
    CHECK(holds(to.get("/", {{"Host", "a&b"}}).body, "http://a&amp;b/bench"));
}

TEST_CASE("the showcase keeps notes in SQLite and in PostgreSQL") {
    apus::test::temporary_database file, server(apus::test::postgres::shared());
    for (apus::test::temporary_database* each : {&file, &server}) {
        CAPTURE(each->url());
        client to(showcase::make_app({}, apus::sql::database(each->url())));
        const auto post = [&](std::string_view json) {
            return to.post("/notes", json, {{"content-type", "application/json"}});
        };
        const std::string tea =
            R"({"id":1,"title":"Tea","tags":["home","x-1"],"importance":"high","due":"2026-12-24"})";
        const response made =
            post(R"({"title": "Tea", "tags": ["home", "x-1"], "importance": "high", "due": "2026-12-24"})");
        CHECK(made.status == 201);
        CHECK_MESSAGE(made.body == tea, made.text());
        CHECK(post(R"({"title": "'; drop table note; --", "tags": []})").status == 201);
        CHECK(post(R"({"title": "", "tags": []})").status == 422);
        CHECK(post(R"({"title": "x", "tags": ["%"]})").status == 422);
        CHECK(to.get("/notes/1").body == tea);
        const std::pair<const char*, std::string> lists[] = {
            {"/notes?limit=1", "[" + tea + "]"},         {"/notes?tag=x-1", "[" + tea + "]"},
            {"/notes?importance=high", "[" + tea + "]"}, {"/notes?tag=x", "[]"},
            {"/notes?importance=low&tag=x-1", "[]"},
        };
        for (const auto& [target, body] : lists) CHECK_MESSAGE(to.get(target).body == body, target);
        CHECK(
            to.put("/notes/2", R"({"title": "Milk", "tags": ["a"]})", {{"content-type", "application/json"}}).status ==
            204);
        CHECK(to.get("/notes?tag=a").body ==
              R"([{"id":2,"title":"Milk","tags":["a"],"importance":"normal","due":null}])");
        CHECK(to.del("/notes/1").status == 204);
        for (const char* method : {"GET", "DELETE"}) CHECK(to.send(method, "/notes/1", "").status == 404);
        CHECK(to.put("/notes/1", R"({"title": "x", "tags": []})", {{"content-type", "application/json"}}).status ==
              404);
    }
}
