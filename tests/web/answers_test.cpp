// SPDX-License-Identifier: Apache-2.0
#include "support/direct.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using apus::app;
using namespace apus::support;

namespace {

constexpr const char* long_text = "a text that is too long to be kept inside of a string";

app plain_handlers() {
    app a;
    a.get("/literal", [] { return "literal"; });
    a.get("/view", [](apus::request& req) { return req.header("x"); });
    a.get("/string", [] { return std::string(long_text); });
    a.get("/none", [] { return apus::no_content(); });
    a.get("/void", [] {});
    a.get("/response", [] {
        apus::response res(202);
        res.header("x-a", "b");
        return res;
    });
    a.get("/created", [] { return apus::created<std::string>{long_text}; });
    a.get("/found", [] { return std::optional<std::string>(long_text); });
    a.get("/missing", [] { return std::optional<std::string>(); });
    a.get("/good", [] { return apus::result<const char*>("good"); });
    a.get("/bad", []() -> apus::result<std::string> { return apus::fail(409, "bad"); });
    a.get("/done", [] { return apus::result<void>(); });
    a.get("/undone", []() -> apus::result<void> { return apus::fail(418, {}); });
    a.get("/throws", []() -> std::string { throw std::runtime_error("the password is swordfish"); });
    a.get("/throws-7", []() -> std::string { throw 7; });
    return a;
}

app coroutine_handlers() {
    app a;
    a.get("/literal", []() -> apus::task<const char*> { co_return "literal"; });
    a.get("/string", []() -> apus::task<std::string> { co_return long_text; });
    a.get("/none", []() -> apus::task<apus::no_content> { co_return apus::no_content(); });
    a.get("/void", []() -> apus::task<> { co_return; });
    a.get("/response", []() -> apus::task<apus::response> { co_return apus::response(202); });
    a.get("/created",
          []() -> apus::task<apus::created<std::string>> { co_return apus::created<std::string>{long_text}; });
    a.get("/missing", []() -> apus::task<std::optional<std::string>> { co_return std::nullopt; });
    a.get("/bad", []() -> apus::task<std::string> {
        co_await apus::fail(409, "bad");
        co_return "never";
    });
    a.get("/bad-result", []() -> apus::task<apus::result<std::string>> { co_return apus::fail(409, "bad"); });
    a.get("/throws", []() -> apus::task<std::string> {
        throw std::runtime_error("the password is swordfish");
        co_return "never";
    });
    a.post("/body", [](apus::request& req) -> apus::task<std::string> {
        std::string all = co_await req.body();
        co_return "read " + all;
    });
    return a;
}

}  // namespace

TEST_CASE("the handler's return value becomes the response") {
    direct to(plain_handlers());
    const std::string text = long_text;
    CHECK(to.ask("GET /literal") == "200 literal");
    CHECK(to.exchange().answer.media_type() == "text/plain; charset=utf-8");
    CHECK(to.ask("GET /view\nx: a value that is longer than a short string") ==
          "200 a value that is longer than a short string");
    CHECK(to.exchange().answer.media_type() == "text/plain; charset=utf-8");
    CHECK(to.ask("GET /string") == "200 " + text);
    CHECK(to.ask("GET /none") == "204");
    CHECK(to.ask("GET /void") == "204");
    CHECK(to.ask("GET /response") == "202");
    CHECK(to.header("x-a") == "b");
    CHECK(to.ask("GET /created") == "201 " + text);
    CHECK(to.ask("GET /found") == "200 " + text);
    CHECK(to.ask("GET /good") == "200 good");
    CHECK(to.ask("GET /done") == "204");
}

TEST_CASE("errors become problem documents, without details of exceptions") {
    direct to(plain_handlers());
    check_problems(to, {{"GET /missing", "404"},
                        {"GET /bad", "409 bad"},
                        {"GET /undone", "418"},
                        {"GET /throws", "500 internal error"},
                        {"GET /throws-7", "500 internal error"}});
}

TEST_CASE("the value of a handler's task becomes the response") {
    direct to(coroutine_handlers());
    const std::string text = long_text;
    CHECK(to.ask("GET /literal") == "200 literal");
    CHECK(to.ask("GET /string") == "200 " + text);
    CHECK(to.ask("GET /none") == "204");
    CHECK(to.ask("GET /void") == "204");
    CHECK(to.ask("GET /response") == "202");
    CHECK(to.ask("GET /created") == "201 " + text);
    CHECK(to.ask("POST /body", "the body") == "200 read the body");
    check_problems(to, {{"GET /missing", "404"},
                        {"GET /bad", "409 bad"},
                        {"GET /bad-result", "409 bad"},
                        {"GET /throws", "500 internal error"}});
}
