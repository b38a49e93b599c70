// SPDX-License-Identifier: Apache-2.0
// Responses that the cache must not store, when combined with other middleware.
#include <apus/csrf.hpp>
#include <apus/response_cache.hpp>
#include <apus/sessions.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <string>

using apus::app;
using apus::response;

namespace {

response kept(std::string text, std::string_view how) {
    response res = response::text(std::move(text));
    res.header("cache-control", how);
    return res;
}

}  // namespace

TEST_CASE("responses for one visitor's session are never given to others") {
    apus::memory_session_store store;
    int runs = 0;
    app a;
    a.use(apus::sessions(store, {.secure = false}));
    a.use(apus::csrf({.token_secrets = {std::string(32, 's')}}));
    a.use(apus::response_cache());
    a.get("/form", [&runs](apus::request& req) {
        ++runs;
        return kept(apus::csrf_token(req), "public, max-age=60");
    });
    a.get("/id", [&runs](apus::session& s) {
        ++runs;
        return kept(s.id(), "max-age=60");
    });
    a.get("/all", [&runs] { return kept(std::to_string(++runs), "max-age=60"); });
    apus::test::client c(std::move(a));
    for (const char* path : {"/form", "/id"}) {
        CAPTURE(path);
        runs = 0;
        const auto alice = c.get(path), bob = c.get(path);
        CHECK(runs == 2);
        CHECK(alice.body != bob.body);
        CHECK(bob.header("age").empty());
    }
    runs = 0;
    c.get("/all");
    CHECK(c.get("/all").header("age") == "0");
    CHECK(runs == 1);
}
