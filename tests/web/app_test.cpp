// SPDX-License-Identifier: Apache-2.0
#include "support/direct.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

using apus::app;
using namespace apus::support;

namespace {

const char* plain_function() { return "plain"; }

}  // namespace

TEST_CASE("a mounted app's routes are below its prefix") {
    app deep;
    deep.get("/end", [] { return "end"; });
    app part;
    part.get("/", [] { return "part"; });
    part.get("/{name}", [](std::string name) { return "part " + name; });
    part.mount("/deep", std::move(deep));
    app whole;
    whole.mount("/part", std::move(part));
    whole.get("/part/own", [] { return "own"; });

    direct to(std::move(whole));
    check_answers(to, {
                          {"GET /part", "200 part"},
                          {"GET /part/x", "200 part x"},
                          {"GET /part/own", "200 own"},
                          {"GET /part/deep/end", "200 end"},
                          {"GET /part/deep", "200 part deep"},
                      });
    CHECK(to.problem("GET /part/") == "404");
    CHECK(to.problem("GET /") == "404");
}

TEST_CASE("routes may be created at run time") {
    app a;
    for (const std::string name : {"red", "green"}) {
        a.get(apus::runtime_route{"/" + name}, [name] { return name; });
        a.get(apus::runtime_route{"/" + name + "/{n}"}, [name](int n) { return name + ' ' + std::to_string(n); });
    }
    direct to(std::move(a));
    check_answers(to, {
                          {"GET /red", "200 red"},
                          {"GET /green", "200 green"},
                          {"GET /green/7", "200 green 7"},
                      });
}

TEST_CASE("an invalid run-time route is rejected when added") {
    app a;
    CHECK_THROWS_WITH_AS(a.get(apus::runtime_route{"red"}, [] {}), "route \"red\": a route must start with '/'",
                         std::logic_error);
    CHECK_THROWS_WITH_AS(
        a.get(apus::runtime_route{"/{n}"}, [] {}),
        "route \"/{n}\": the handler's number of path parameters differs from the route's number of captures",
        std::logic_error);
}

TEST_CASE("routes for every method") {
    app a;
    a.get("/", [] { return "get"; });
    a.head("/", [] { return "head"; });
    a.post("/", [] { return "post"; });
    a.put("/", [] { return "put"; });
    a.patch("/", [] { return "patch"; });
    a.del("/", [] { return "del"; });
    a.options("/", [] { return "options"; });
    direct to(std::move(a));
    check_answers(to, {{"GET /", "200 get"},
                       {"HEAD /", "200 head"},
                       {"POST /", "200 post"},
                       {"PUT /", "200 put"},
                       {"PATCH /", "200 patch"},
                       {"DELETE /", "200 del"},
                       {"OPTIONS /", "200 options"}});
}

TEST_CASE("a handler may be a function, and may be move-only") {
    app a;
    a.get("/plain", plain_function);
    a.get("/owner", [kept = std::make_unique<int>(7)] { return std::to_string(*kept); });
    direct to(std::move(a));
    check_answers(to, {{"GET /plain", "200 plain"}, {"GET /owner", "200 7"}});
}

TEST_CASE("moving an app moves its handlers") {
    const auto kept = std::make_shared<int>(7);
    {
        app first;
        first.get("/", [kept] { return std::to_string(*kept); });
        first.use([kept](apus::request&) -> apus::result<void> { return {}; });
        app second = std::move(first);
        app third;
        third = std::move(second);
        direct to(std::move(third));
        CHECK(to.ask("GET /") == "200 7");
        CHECK(kept.use_count() == 3);
    }
    CHECK(kept.use_count() == 1);
}
