// SPDX-License-Identifier: Apache-2.0
#include "support/counted_memory.hpp"
#include "support/direct.hpp"

#include <doctest/doctest.h>

#include <memory>
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

    apus::pending_response operator()(request& req, response& out, apus::next_handler rest) const {
        if (req.header("end") == name) return out.status(418), apus::pending_response();
        if (req.header("fail") == name) return apus::fail(403, "refused by " + name).header("x-why", "rule");
        if (req.header("throw-before") == name) throw std::runtime_error("secret");
        *to += name + "(";
        return rest.run(req, out, [this, &req](response& res) { after(req, res); });
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

TEST_CASE("middleware without a coroutine sees every response") {
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
        {"GET /now\nfail: b", 403, "a(403)"},
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

TEST_CASE("library middleware allocates nothing") {
    if (!apus::support::allocations_are_counted) return apus::support::skip(apus::support::not_counted);
    struct nothing {
        apus::pending_response operator()(request& req, response& out, apus::next_handler rest) const {
            return rest.run(req, out, [](response&) {});
        }
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

TEST_CASE("route middleware runs inside that of its app") {
    std::string log;
    app a;
    a.get("/one", apus::with(noting{&log, "x"}, noting{&log, "y"}), [] { return "1"; });
    a.get("/two", [] { return "2"; });
    a.use(noting{&log, "app"});
    direct to(std::move(a));
    CHECK(to.ask("GET /one") == "200 1");
    CHECK(log == "app(x(y(200)200)200)");
    log.clear();
    CHECK(to.ask("GET /two") == "200 2");
    CHECK(log == "app(200)");
    log.clear();
    to.send("OPTIONS /one");
    CHECK(log == "app(x(y(204)204)204)");
}

TEST_CASE("routes with the same middleware list share its objects") {
    struct counting {
        std::shared_ptr<int> count = std::make_shared<int>(0);
        counting() = default;
        counting(counting&&) = default;  // not copyable, like bearer_auth
        apus::result<void> operator()(request&) const {
            if (++*count > 2) return apus::fail(429, "enough");
            return {};
        }
    };
    app a;
    const auto limited = apus::with(counting());
    a.get("/one", limited, [] { return "1"; });
    a.get("/two", limited, [] { return "2"; });
    direct to(std::move(a));
    CHECK(to.ask("GET /one") == "200 1");
    CHECK(to.ask("GET /two") == "200 2");
    CHECK(to.problem("GET /one") == "429 enough");
}

TEST_CASE("a group has a prefix, middleware, and nested groups") {
    std::string log;
    app a;
    auto api = a.group("/api");
    auto admin = api.group("/admin");
    admin.use(noting{&log, "admin"});
    api.use(noting{&log, "api"});
    admin.get("/stats", [] { return "stats"; });
    api.get("/", [] { return "api"; });
    auto plain = a.group();
    plain.use(apus::with(noting{&log, "plain"}));
    plain.get("/plain", [] { return "plain"; });
    app moved = std::move(a);
    api.get("/late", [] { return "late"; });  // an app is a handle, so the move does not affect it
    direct to(std::move(moved));
    const std::pair<const char*, const char*> rows[] = {{"GET /api/admin/stats", "api(admin(200)200)"},
                                                        {"GET /api", "api(200)"},
                                                        {"GET /api/late", "api(200)"},
                                                        {"GET /plain", "plain(200)"},
                                                        {"GET /none", ""}};
    for (const auto& [request, expected] : rows) {
        CAPTURE(request);
        log.clear();
        to.send(request);
        CHECK(log == expected);
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
