// SPDX-License-Identifier: Apache-2.0
#include "support/direct.hpp"

#include <apus/json.hpp>
#include <apus/stream.hpp>
#include <doctest/doctest.h>

#include <stdexcept>

using namespace apus::support;

namespace {

struct sized_thing {
    int size;
};
struct failure_note {
    int code;
    std::string text;
    std::optional<std::string> path = std::nullopt;
};

// Responds with "<name>STATUS detail" as HTML.
auto page_of(std::string name) {
    return [name](apus::request&, const apus::error& why) {
        return apus::response::html('<' + name + '>' + std::to_string(why.status()) + ' ' + why.detail());
    };
}

apus::app with_routes() {
    apus::app a;
    a.get("/fails", []() -> apus::result<std::string> {
        return apus::fail(409, "taken").header("retry-after", "9").header("x-a", "of the error").with("seat", 12);
    });
    a.get("/waits", []() -> apus::task<std::string> {
        co_await apus::fail(410, "gone");
        co_return "never";
    });
    a.get("/throws", []() -> std::string { throw std::runtime_error("a secret"); });
    a.get("/late-throw", []() -> apus::task<> {
        throw std::runtime_error("a secret");
        co_return;
    });
    a.get("/own", [] { return apus::response::text("mine").status(404); });
    a.get("/none", [] { return std::optional<std::string>(); });
    a.post("/things", [](apus::json<sized_thing> t) { return std::to_string(t->size); });
    a.get("/n/{n}", [](int n) { return std::to_string(n); });
    return a;
}

struct stamp {
    apus::pending_response operator()(apus::request& req, apus::response& out, apus::next_handler rest) const {
        return rest.run(req, out, [](apus::response& res) {
            res.header("x-seen", std::to_string(res.status()) + ' ' + std::string(res.body().substr(0, 6)));
        });
    }
};

}  // namespace

TEST_CASE("on_error generates every error response") {
    apus::app a = with_routes();
    a.on_error(page_of("e"));
    direct to(std::move(a));
    check_answers(to, {{"GET /fails", "409 <e>409 taken"},
                       {"GET /waits", "410 <e>410 gone"},
                       {"GET /throws", "500 <e>500 internal error"},
                       {"GET /late-throw", "500 <e>500 internal error"},
                       {"GET /none", "404 <e>404 "},
                       {"GET /missing", "404 <e>404 "},
                       {"PUT /own", "405 <e>405 this method is not allowed for the path"},
                       {"BREW /own", "501 <e>501 the server does not support this method"},
                       {"GET /n/x", "400 <e>400 `n` must be an integer, not \"x\""},
                       {"GET /n/7", "200 7"},
                       {"GET /own", "404 mine"}});
    CHECK(to.ask("POST /things\ncontent-type: application/json", "{}") ==
          "422 <e>422 the JSON does not match the expected structure");
    CHECK(to.ask("POST /things\ncontent-type: text/plain", "{}").starts_with("415 <e>415 "));
    CHECK(to.exchange().answer.media_type() == "text/html; charset=utf-8");
    to.send("PUT /own");
    CHECK(to.header("allow") == "GET, HEAD, OPTIONS");
    to.send("HEAD /missing");
    CHECK(to.status() == 404);
}

TEST_CASE("a response of on_error has the error's fields, and its own status") {
    apus::app a = with_routes();
    a.on_error([](apus::request& req, const apus::error& why) {
        return apus::response::text(std::string(req.path()) + ' ' + std::string(why.member("seat")))
            .status(400)
            .header("x-a", "of the form");
    });
    direct to(std::move(a));
    CHECK(to.ask("GET /fails") == "400 /fails 12");
    CHECK(to.header("retry-after") == "9");
    CHECK(to.header("x-a") == "of the form");
}

TEST_CASE("not_found generates 404 responses only") {
    apus::app a = with_routes();
    a.not_found([](apus::request& req) { return apus::response::html("no " + std::string(req.path())); });
    direct to(std::move(a));
    check_answers(to, {{"GET /missing", "404 no /missing"}, {"GET /none", "404 no /none"}});
    CHECK(to.problem("GET /waits") == "410 gone");
}

TEST_CASE("error handlers return structs, text and replies") {
    apus::app a = with_routes();
    a.on_error([](apus::request&, const apus::error& why) { return failure_note{why.status(), why.detail()}; });
    a.not_found([](apus::request& req) { return failure_note{404, "none", std::string(req.path())}; });
    direct to(std::move(a));
    CHECK(to.ask("GET /fails") == R"(409 {"code":409,"text":"taken","path":null})");
    CHECK(to.exchange().answer.media_type() == "application/json");
    CHECK(to.header("retry-after") == "9");
    CHECK(to.ask("GET /throws") == R"(500 {"code":500,"text":"internal error","path":null})");
    CHECK(to.ask("GET /missing") == R"(404 {"code":404,"text":"none","path":"/missing"})");
    CHECK(to.ask("PUT /own").starts_with("405 {\"code\":405"));
    CHECK(to.header("allow") == "GET, HEAD, OPTIONS");

    apus::app b = with_routes();
    b.not_found([](apus::request&) { return "no"; });
    b.on_error([](apus::request&, const apus::error& why) -> apus::reply<failure_note> {
        return apus::with_status(why.status() == 409 ? 412 : 200, failure_note{why.status(), {}}).header("x-b", "c");
    });
    direct other(std::move(b));
    CHECK(other.ask("GET /missing") == "404 no");
    CHECK(other.ask("GET /fails") == R"(412 {"code":409,"text":"","path":null})");
    CHECK(other.header("x-b") == "c");
    CHECK(other.ask("GET /waits") == R"(410 {"code":410,"text":"","path":null})");
}

TEST_CASE("an error handler without a value leaves the problem document") {
    apus::app a = with_routes();
    a.on_error([](apus::request&, const apus::error& why) -> std::optional<failure_note> {
        if (why.status() != 409) return std::nullopt;
        return failure_note{1, "own"};
    });
    a.not_found([](apus::request&) -> apus::result<failure_note> { return apus::fail(500, "another"); });
    direct to(std::move(a));
    CHECK(to.ask("GET /fails") == R"(409 {"code":1,"text":"own","path":null})");
    CHECK(to.problem("GET /waits") == "410 gone");
    CHECK(to.ask("GET /none").starts_with("404 {\"status\":404"));
    CHECK(to.exchange().answer.media_type() == "application/problem+json");
}

TEST_CASE("a mounted app has its own, and falls back to the outer app's") {
    apus::app inner = with_routes();
    inner.on_error(page_of("inner"));
    apus::app below = with_routes();
    apus::app missing = with_routes();
    missing.not_found(
        [](apus::request&, const apus::error& why) { return apus::response::html(std::to_string(why.status())); });
    apus::app plain = with_routes();
    inner.mount("/deep", std::move(below));
    plain.mount("/missing", std::move(missing));
    apus::app a = with_routes();
    a.on_error(page_of("outer"));
    a.mount("/in", std::move(inner));
    a.mount("/plain", std::move(plain));
    direct to(std::move(a));
    check_answers(to, {{"GET /waits", "410 <outer>410 gone"},
                       {"GET /in/waits", "410 <inner>410 gone"},
                       {"GET /in/none", "404 <inner>404 "},
                       {"GET /in/nowhere", "404 <inner>404 "},
                       {"GET /in", "404 <inner>404 "},
                       {"GET /inn", "404 <outer>404 "},
                       {"PUT /in/waits", "405 <inner>405 this method is not allowed for the path"},
                       {"GET /in/deep/waits", "410 <inner>410 gone"},
                       {"GET /in/deep/nowhere", "404 <inner>404 "},
                       {"GET /plain/waits", "410 <outer>410 gone"},
                       {"GET /plain/missing/waits", "410 <outer>410 gone"},
                       {"GET /plain/missing/nowhere", "404 404"},
                       {"GET /plain/nowhere", "404 <outer>404 "},
                       {"GET /nowhere", "404 <outer>404 "}});
}

TEST_CASE("a failing, empty or streaming error response falls back to the problem document") {
    apus::app a = with_routes();
    a.on_error([](apus::request& req, const apus::error&) -> apus::result<apus::response> {
        if (req.query() == "throws") throw std::runtime_error("a secret");
        if (req.query() == "fails") return apus::fail(500, "another");
        if (req.query() == "error") return apus::response(apus::error(500, "another"));
        if (req.query() == "status") return apus::response(99);
        return apus::stream("text/plain", [](apus::writer& out) -> apus::task<> { co_await out.write("x"); });
    });
    direct to(std::move(a));
    for (const char* query : {"throws", "fails", "error", "status", "streams"}) {
        CAPTURE(query);
        CHECK(to.ask("GET /fails?" + std::string(query)) ==
              "409 {\"status\":409,\"title\":\"Conflict\",\"detail\":\"taken\",\"seat\":12}\n");
        CHECK(to.header("retry-after") == "9");
    }
    apus::app b = with_routes();
    b.on_error([](apus::request&, const apus::error&) { return std::optional<apus::response>(); });
    direct plain(std::move(b));
    CHECK(plain.problem("GET /waits") == "410 gone");
}

TEST_CASE("outer middleware sees responses of on_error, and its errors are handled too") {
    apus::app a = with_routes();
    a.use(stamp());
    a.use([](apus::request& req, apus::next_handler next) -> apus::task<apus::response> {
        if (req.query() == "refused") co_await apus::fail(403, "not you");
        apus::response res = co_await next(req);
        res.header("x-inner", res.body().substr(0, 6));
        co_return res;
    });
    a.on_error(page_of("e"));
    direct to(std::move(a));
    CHECK(to.ask("GET /waits") == "410 <e>410 gone");
    CHECK(to.header("x-inner") == "<e>410");
    CHECK(to.header("x-seen") == "410 <e>410");
    CHECK(to.ask("GET /waits?refused") == "403 <e>403 not you");
    CHECK(to.header("x-seen") == "403 <e>403");
    CHECK(to.ask("GET /missing") == "404 <e>404 ");
    CHECK(to.header("x-seen") == "404 <e>404");
}

TEST_CASE("an app has one on_error and one not_found") {
    apus::app a;
    a.on_error(page_of("e"));
    CHECK_THROWS_AS(a.on_error(page_of("f")), std::logic_error);
    a.not_found(page_of("n"));
    CHECK_THROWS_AS(a.not_found(page_of("m")), std::logic_error);
}
