// SPDX-License-Identifier: Apache-2.0
#include "middleware/shared_buckets.hpp"

#include <apus/app.hpp>
#include <apus/sleep.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <set>
#include <stdexcept>
#include <string>

using apus::rate_limit;
using apus::rate_limit_options;
using apus::seconds;
using apus::store_failure;

namespace {

// A store as users write it, with two tokens for all keys together.
struct two_tokens final : apus::rate_limit_store {
    apus::task<apus::rate_limit_answer> take(std::string_view key, apus::duration interval,
                                             std::uint64_t burst) override {
        ++calls;
        keys.emplace(key);
        CHECK(burst == 2);
        if (silent) co_await apus::sleep_for(seconds(3600));
        if (broken) co_await apus::fail(500, "broken");
        const bool allowed = taken < 2;
        taken += allowed ? 1 : 0;
        co_return apus::rate_limit_answer{allowed,
                                          apus::duration::from_nanoseconds(interval.nanoseconds() * taken * factor)};
    }

    std::set<std::string> keys;
    int calls = 0, taken = 0, factor = 1;
    bool silent = false, broken = false;
};

apus::test::client limited(rate_limit_options how, two_tokens& store) {
    how.requests = 2;
    how.period = seconds(86'400);
    how.store = &store;
    apus::app a;
    a.use(rate_limit(how, [](apus::request& req) { return req.header("x-key"); }));
    a.get("/", [] { return "hello"; });
    return apus::test::client(std::move(a));
}

std::string fields(const apus::test::response& a) {
    return std::to_string(a.status).append(" ").append(a.header("ratelimit"));
}

}  // namespace

TEST_CASE("a shared rate limit has the same responses as a limit in one process") {
    two_tokens store;
    auto c = limited({}, store);
    CHECK(fields(c.get("/")) == "200 \"default\";r=1;t=43200");
    CHECK(fields(c.get("/")) == "200 \"default\";r=0;t=86400");
    const auto over = c.get("/");
    CHECK(fields(over) == "429 \"default\";r=0;t=86400");
    CHECK(over.header("retry-after") == "43200");
    CHECK(over.header("ratelimit-policy") == "\"default\";q=2;w=86400");
    CHECK(over.body.contains("\"detail\":\"too many requests: try again in 43200 s\""));
}

TEST_CASE("keys of shared limits differ by policy, and reveal nothing") {
    two_tokens store;
    auto one = limited({}, store);
    auto other = limited({.name = "other"}, store);
    for (const std::string& key : {std::string("secret"), std::string("secret"), std::string(10'000, 'x')}) {
        one.get("/", {{"x-key", key}});
        other.get("/", {{"x-key", key}});
    }
    CHECK(store.keys.size() == 4);
    for (const auto& key : store.keys) CHECK(key.size() == 43);
}

TEST_CASE("while the store fails, the option decides, and one request per second tries again") {
    struct row {
        store_failure how;
        int status[4];
    };
    const row rows[] = {
        {store_failure::count_locally, {200, 200, 429, 429}},
        {store_failure::admit, {200, 200, 200, 200}},
        {store_failure::refuse, {503, 503, 503, 503}},
    };
    for (const auto& row : rows) {
        CAPTURE(static_cast<int>(row.how));
        two_tokens store;
        store.broken = true;
        auto c = limited({.on_store_failure = row.how}, store);
        for (const int status : row.status) CHECK(c.get("/").status == status);
        CHECK(store.calls == 1);
        c.advance(seconds(1));
        CHECK(c.get("/").status == row.status[3]);
        CHECK(c.get("/").status == row.status[3]);
        CHECK(store.calls == 2);
        store.broken = false;
        c.advance(seconds(1));
        CHECK(fields(c.get("/")) == "200 \"default\";r=1;t=43200");
        CHECK(fields(c.get("/")) == "200 \"default\";r=0;t=86400");
        CHECK(c.get("/").status == 429);
        CHECK(store.calls == 5);
    }
}

TEST_CASE("a refusal because of the store says when to try again") {
    two_tokens store;
    store.broken = true;
    auto c = limited({.on_store_failure = store_failure::refuse}, store);
    CHECK(c.get("/").header("retry-after") == "1");
}

TEST_CASE("a store without a response fails after its timeout") {
    two_tokens store;
    store.silent = true;
    auto c = limited({.store_timeout = apus::milliseconds(1)}, store);
    CHECK(fields(c.get("/")) == "200 \"default\";r=1;t=43200");
    CHECK(fields(c.get("/")) == "200 \"default\";r=0;t=86400");
    CHECK(store.calls == 1);
}

TEST_CASE("times of a store that are out of range are clamped") {
    for (const int factor : {-5, 1'000}) {
        two_tokens store;
        store.factor = factor;
        auto c = limited({}, store);
        CHECK(fields(c.get("/")) == (factor < 0 ? "200 \"default\";r=2;t=0" : "200 \"default\";r=0;t=86400"));
    }
}

TEST_CASE("shared rate limits: invalid options are rejected") {
    two_tokens store;
    CHECK_THROWS_AS(rate_limit({.store = &store, .store_timeout = apus::milliseconds(0)}), std::invalid_argument);
    CHECK_THROWS_AS(rate_limit({.requests = 2'000'000, .period = seconds(1), .store = &store}), std::invalid_argument);
}
