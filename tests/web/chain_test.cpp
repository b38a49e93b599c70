// SPDX-License-Identifier: Apache-2.0
#include "support/direct.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using apus::app;
using apus::support::direct;

namespace {

using log = std::string;

// Writes "name(" before the handler, and "status)" after it.
auto noting(log& to, std::string name) {
    return [&to, name](apus::request& req, apus::next_handler next) -> apus::task<apus::response> {
        to += name + "(";
        apus::response res = co_await next(req);
        to += std::to_string(res.status()) + ")";
        co_return res;
    };
}

// Rejects requests with the field `name`.
auto refusing(log& to, std::string name) {
    return [&to, name](apus::request& req) -> apus::result<void> {
        to += name + "?";
        if (!req.header(name).empty()) return apus::fail(403, "refused by " + name);
        return {};
    };
}

// An awaitable that the test completes.
struct event {
    std::coroutine_handle<> waiter;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> h) noexcept { waiter = h; }
    void await_resume() const noexcept {}
};

// Records its destruction.
struct guard {
    log& to;
    explicit guard(log& l) : to(l) {}
    guard(const guard&) = delete;
    ~guard() { to += "gone "; }
};

// Throws before it returns a coroutine.
apus::task<apus::response> no_coroutine(apus::request&, apus::next_handler) { throw std::runtime_error("secret"); }

app layered(log& to) {
    app inner;
    inner.use(noting(to, "inner"));
    inner.use(refusing(to, "f2"));
    inner.get("/sync", [&to] { return to += "sync ", "done"; });
    inner.get("/later", [&to]() -> apus::task<std::string> {
        to += "later ";
        co_return "done";
    });
    inner.get("/throws", []() -> std::string { throw std::runtime_error("secret"); });
    inner.get("/throws-later", []() -> apus::task<> {
        throw std::runtime_error("secret");
        co_return;
    });
    inner.get("/fails-later", []() -> apus::task<> { co_await apus::fail(409, "no"); });
    inner.get("/n/{n}", [](int) {});

    app outer;
    outer.use(noting(to, "outer"));
    outer.use(refusing(to, "f1"));
    outer.mount("/in", std::move(inner));
    outer.get("/", [&to] { return to += "root ", "done"; });
    return outer;
}

}  // namespace

TEST_CASE("middleware runs from the outermost app to the route, and sees every response") {
    struct row {
        std::string request;
        int status;
        std::string log;
    };
    const row rows[] = {
        {"GET /in/sync", 200, "outer(f1?inner(f2?sync 200)200)"},
        {"GET /in/later", 200, "outer(f1?inner(f2?later 200)200)"},
        {"GET /", 200, "outer(f1?root 200)"},
        {"GET /in/sync\nf2: x", 403, "outer(f1?inner(f2?403)403)"},
        {"GET /in/sync\nf1: x", 403, "outer(f1?403)"},
        {"GET /in/throws", 500, "outer(f1?inner(f2?500)500)"},
        {"GET /in/throws-later", 500, "outer(f1?inner(f2?500)500)"},
        {"GET /in/fails-later", 409, "outer(f1?inner(f2?409)409)"},
        {"GET /in/n/x", 400, "outer(f1?inner(f2?400)400)"},
        {"GET /nothing", 404, "outer(f1?404)"},
        {"GET /in/n/..", 404, "outer(f1?404)"},
        {"BREW /in/sync", 501, "outer(f1?501)"},
        {"OPTIONS *", 204, "outer(f1?204)"},
        {"POST /", 405, "outer(f1?405)"},
        {"POST /in/sync", 405, "outer(f1?inner(f2?405)405)"},
        {"OPTIONS /in/sync", 204, "outer(f1?inner(f2?204)204)"},
        {"OPTIONS /in/sync\nf2: x", 403, "outer(f1?inner(f2?403)403)"},
    };
    log seen;
    direct to(layered(seen));
    for (const auto& row : rows) {
        CAPTURE(row.request);
        seen.clear();
        to.send(row.request);
        CHECK(to.answered());
        CHECK(to.status() == row.status);
        CHECK(seen == row.log);
    }
}

TEST_CASE("a filter ends the chain with its problem document") {
    log seen;
    direct to(layered(seen));
    CHECK(to.problem("GET /in/sync\nf2: x") == "403 refused by f2");
}

TEST_CASE("middleware also wraps the routes that were added before it") {
    log seen;
    app a;
    a.get("/", [] {});
    a.use(noting(seen, "after"));
    direct to(std::move(a));
    CHECK(to.ask("GET /") == "204");
    CHECK(seen == "after(204)");
}

TEST_CASE("middleware can change the response, skip the rest, fail, or call it twice") {
    app a;
    a.use([](apus::request& req, apus::next_handler next) -> apus::task<apus::response> {
        const std::string what(req.header("do"));
        if (what == "leave out") co_return apus::response(202);
        if (what == "fail") co_await apus::fail(429, "slow down");
        if (what == "throw") throw std::runtime_error("secret");
        apus::response res = co_await next(req);
        if (what == "twice") res = co_await next(req);
        res.header("x-stamp", "1");
        co_return res;
    });
    int calls = 0;
    a.get("/", [&calls] { return std::to_string(++calls); });
    a.get("/later", [&calls]() -> apus::task<std::string> { co_return std::to_string(++calls); });
    direct to(std::move(a));

    CHECK(to.ask("GET /") == "200 1");
    CHECK(to.header("x-stamp") == "1");
    CHECK(to.ask("GET /\ndo: leave out") == "202");
    CHECK(to.problem("GET /\ndo: fail") == "429 slow down");
    CHECK(to.problem("GET /\ndo: throw") == "500 internal error");
    CHECK(to.ask("GET /\ndo: twice") == "200 3");
    CHECK(to.ask("GET /later\ndo: twice") == "200 5");
    CHECK(to.problem("GET /none") == "404");
    CHECK(to.header("x-stamp") == "1");
}

TEST_CASE("exceptions of filters and plain middleware become responses") {
    app a;
    a.use([](apus::request& req) -> apus::result<void> {
        if (!req.header("x").empty()) throw std::runtime_error("secret");
        return {};
    });
    a.use(no_coroutine);
    a.get("/", [] {});
    direct to(std::move(a));
    CHECK(to.problem("GET /\nx: y") == "500 internal error");
    CHECK(to.problem("GET /") == "500 internal error");
}

TEST_CASE("a coroutine handler") {
    log seen;
    event wait;
    app a;
    a.use(noting(seen, "m"));
    a.get("/", [&]() -> apus::task<std::string> {
        guard g(seen);
        co_await wait;
        co_return "late";
    });
    direct to(std::move(a));
    CHECK(to.ask("GET /") == "waits");
    CHECK(seen == "m(");

    SUBCASE("is answered later, and its middleware sees the answer") {
        wait.waiter.resume();
        CHECK(to.answered());
        CHECK(to.status() == 200);
        CHECK(to.body() == "late");
        CHECK(seen == "m(gone 200)");
    }
    SUBCASE("is destroyed when the request is cancelled, and its middleware runs no more") {
        to.exchange().cancel();
        CHECK(seen == "m(gone ");
    }
}

TEST_CASE("clients see details of errors below 500, and of others only exposed ones") {
    app a;
    a.get("/plain/{status}",
          [](int status) -> apus::result<std::string> { return apus::fail(status, "host db-3 is down"); });
    a.get("/later/{status}", [](int status) -> apus::task<std::string> {
        co_await apus::fail(status, "host db-3 is down");
        co_return "";
    });
    a.get("/exposed", []() -> apus::result<std::string> { return apus::fail(503, "closed until noon").expose(); });
    a.get("/exposed-later", []() -> apus::task<std::string> {
        co_await apus::fail(503, "closed until noon").expose();
        co_return "";
    });
    a.get("/thrown", []() -> std::string { throw std::runtime_error("host db-3 is down"); });
    app filtered;
    filtered.use([](apus::request&) -> apus::result<void> { return apus::fail(502, "host db-3 is down"); });
    filtered.get("/", [] { return ""; });
    a.mount("/filtered", std::move(filtered));
    direct to(std::move(a));
    check_problems(to, {{"GET /plain/409", "409 host db-3 is down"},
                        {"GET /plain/500", "500"},
                        {"GET /plain/502", "502"},
                        {"GET /later/499", "499 host db-3 is down"},
                        {"GET /later/500", "500"},
                        {"GET /later/503", "503"},
                        {"GET /exposed", "503 closed until noon"},
                        {"GET /exposed-later", "503 closed until noon"},
                        {"GET /thrown", "500 internal error"},
                        {"GET /filtered", "502"}});
    to.send("GET /plain/502");
    CHECK(to.body() == "{\"status\":502,\"title\":\"Bad Gateway\"}\n");
}
