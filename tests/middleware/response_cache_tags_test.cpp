// SPDX-License-Identifier: Apache-2.0
#include "middleware/crowd.hpp"

#include <apus/response_cache.hpp>
#include <apus/sleep.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <string>

using apus::app;
using apus::response;
using apus::response_cache;
using apus::support::crowd;
using apus::test::client;

namespace {

response tagged(int number, const std::string& tags) {
    response res = response::text("answer " + std::to_string(number));
    res.header("cache-control", "max-age=60").header("cache-tag", tags);
    return res;
}

// Responds with the number of times that the handler ran.
app counting(int& runs, const response_cache& cache) {
    app a;
    a.use(cache);
    a.get("/product/{id}", [&runs](std::string id) { return tagged(++runs, "product, product-" + id); });
    a.get("/list", [&runs] { return tagged(++runs, "product"); });
    a.get("/many", [&runs] {
        std::string tags;
        for (int i = 0; i < 65; ++i) tags += "t" + std::to_string(i) + ",";
        return tagged(++runs, tags);
    });
    a.get("/repeated", [&runs] {
        std::string tags;
        for (int i = 0; i < 100; ++i) tags += "same, ,";
        return tagged(++runs, tags);
    });
    a.get("/slow", [&runs]() -> apus::task<response> {
        const int read = ++runs;
        co_await apus::sleep_for(apus::milliseconds(5));
        co_return tagged(read, "slow");
    });
    a.get("/missing", [&runs] {
        ++runs;
        return response(404);
    });
    a.get("/gone", [&runs] {
        ++runs;
        return response(410);
    });
    a.get("/private", [&runs] {
        ++runs;
        response res(404);
        res.header("cache-control", "private");
        return res;
    });
    a.get("/failed", [&runs] {
        ++runs;
        return response(500);
    });
    return a;
}

}  // namespace

TEST_CASE("responses are dropped by their tags") {
    int runs = 0;
    response_cache cache;
    client c(counting(runs, cache));
    CHECK(c.get("/product/1").body == "answer 1");
    CHECK(c.get("/product/2").body == "answer 2");
    CHECK(c.get("/list").body == "answer 3");
    CHECK(c.get("/product/1").body == "answer 1");
    cache.drop_tag("product-1");
    CHECK(c.get("/product/1").body == "answer 4");
    CHECK(c.get("/product/2").body == "answer 2");
    cache.drop_tag("product");
    CHECK(c.get("/product/1").body == "answer 5");
    CHECK(c.get("/product/2").body == "answer 6");
    CHECK(c.get("/list").body == "answer 7");
    cache.drop_tag("prod");
    cache.drop_tag("");
    CHECK(c.get("/list").body == "answer 7");
    cache.drop_all();
    CHECK(c.get("/list").body == "answer 8");
    CHECK(c.get("/repeated").body == "answer 9");
    CHECK(c.get("/repeated").body == "answer 9");
    // A response with too many tags is not stored.
    CHECK(c.get("/many").body == "answer 10");
    CHECK(c.get("/many").body == "answer 11");
}

TEST_CASE("a response that a handler has begun before its tag was dropped is not stored") {
    for (const bool all : {false, true}) {
        int runs = 0;
        response_cache cache;
        crowd m(counting(runs, cache));
        const auto first = m.ask("/slow");
        CHECK(runs == 1);
        if (all) cache.drop_all();
        else cache.drop_tag("slow");
        CHECK(m.answer_of(first).body == "answer 1");
        CHECK(m.answer_of(m.ask("/slow")).body == "answer 2");
        CHECK(m.answer_of(m.ask("/slow")).body == "answer 2");
    }
}

TEST_CASE("negative caching: 404 and 410 without Cache-Control are stored for a time") {
    int runs = 0;
    client c(counting(runs, response_cache({.not_found = apus::seconds(10)})));
    for (int i = 0; i < 3; ++i) CHECK(c.get("/missing").status == 404);
    CHECK(runs == 1);
    for (int i = 0; i < 3; ++i) CHECK(c.get("/gone").status == 410);
    CHECK(runs == 2);
    for (int i = 0; i < 3; ++i) c.get("/private"), c.get("/failed");
    CHECK(runs == 8);
    c.advance(apus::seconds(11));
    CHECK(c.get("/missing").status == 404);
    CHECK(runs == 9);
    int others = 0;
    client without(counting(others, response_cache()));
    for (int i = 0; i < 3; ++i) without.get("/missing");
    CHECK(others == 3);
}
