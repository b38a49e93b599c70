// SPDX-License-Identifier: Apache-2.0
#include "support/counted_memory.hpp"
#include "support/direct.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using apus::app;
using apus::request;
using apus::response;
using apus::support::direct;

namespace {

struct noting {
    std::string* to;
    std::string name;

    bool before(request& req, response& out) const {
        if (req.header("end") == name) return out.status(418), false;
        if (req.header("throw-before") == name) throw std::runtime_error("secret");
        *to += name + "(";
        return true;
    }
    void after(request& req, response& out) const {
        if (req.header("throw-after") == name) throw std::runtime_error("secret");
        *to += std::to_string(out.status()) + ")";
        out.header("seen-by", name);
    }
};

app noted(std::string& log) {
    app a;
    a.use(noting{&log, "a"});
    a.use(noting{&log, "b"});
    a.get("/now", [&log] { return log += "now ", "done"; });
    a.get("/later", [&log]() -> apus::task<const char*> {
        log += "later ";
        co_return "done";
    });
    a.get("/fails-later", []() -> apus::task<> { co_await apus::fail(409, "no"); });
    a.get("/throws", []() -> const char* { throw std::runtime_error("secret"); });
    return a;
}

}  // namespace

TEST_CASE("before and after run around the handler, whatever comes back") {
    const struct {
        std::string request;
        int status;
        std::string log;
    } rows[] = {
        {"GET /now", 200, "a(b(now 200)200)"},
        {"GET /later", 200, "a(b(later 200)200)"},
        {"GET /fails-later", 409, "a(b(409)409)"},
        {"GET /throws", 500, "a(b(500)500)"},
        {"GET /nothing", 404, "a(b(404)404)"},
        {"POST /now", 405, "a(b(405)405)"},
        {"GET /now\nend: b", 418, "a(418)"},
        {"GET /now\nend: a", 418, ""},
        {"GET /now\nthrow-before: b", 500, "a(500)"},
        {"GET /now\nthrow-after: b", 500, "a(b(now 500)"},
        {"GET /later\nthrow-after: b", 500, "a(b(later 500)"},
        {"GET /now\nthrow-after: a", 500, "a(b(now 200)"},
    };
    std::string log;
    direct to(noted(log));
    for (const auto& row : rows) {
        CAPTURE(row.request);
        log.clear();
        to.send(row.request);
        CHECK(to.answered());
        CHECK(to.status() == row.status);
        CHECK(log == row.log);
    }
    to.send("GET /later");
    CHECK(to.header("seen-by") == "b");
}

TEST_CASE("before and after make no coroutine around a handler that is none") {
    if (!apus::support::allocations_are_counted) return apus::support::skip(apus::support::not_counted);
    struct nothing {
        bool before(request&, response&) const { return true; }
        void after(request&, response&) const {}
    };
    app a;
    a.use(nothing());
    a.get("/", [] { return "text"; });
    a.get("/later", []() -> apus::task<const char*> { co_return "text"; });
    direct to(std::move(a));
    for (auto head : {"GET /", "GET /later"}) {
        for (int i = 0; i < 10; ++i) to.send(head);
        const auto allocations = apus::support::allocations();
        for (int i = 0; i < 10; ++i) to.send(head);
        CHECK(apus::support::allocations() == allocations);
    }
}

TEST_CASE("an app mounted without a prefix keeps its middleware to itself") {
    std::string log;
    app part;
    part.use(noting{&log, "part"});
    part.get("/inside", [] { return "in"; });
    part.get("/", [] { return "root"; });
    app whole;
    whole.mount(std::move(part));
    whole.get("/outside", [] { return "out"; });
    direct to(std::move(whole));
    CHECK(to.ask("GET /inside") == "200 in");
    CHECK(to.ask("GET /") == "200 root");
    CHECK(log == "part(200)part(200)");
    CHECK(to.ask("GET /outside") == "200 out");
    CHECK(log == "part(200)part(200)");
}
