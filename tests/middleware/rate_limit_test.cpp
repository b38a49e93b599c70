// SPDX-License-Identifier: Apache-2.0
#include <apus/client_info.hpp>
#include <apus/rate_limit.hpp>
#include <apus/sleep.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <thread>

using apus::app;
using apus::rate_limit;
using apus::test::client;

namespace {

// A rate so low that no token is added during a test.
constexpr apus::rate_limit_options two_a_day = {.requests = 2, .period = apus::seconds(86'400)};

app limited(const rate_limit& limit) {
    app a;
    a.use(limit);
    a.get("/", [] { return "hello"; });
    a.get("/later", []() -> apus::task<std::string> {
        co_await apus::sleep_for(apus::milliseconds(1));
        co_return "late";
    });
    return a;
}

std::string fields(const apus::test::response& a) {
    std::string text = std::to_string(a.status) + " ";
    return text.append(a.header("ratelimit-policy")).append(" ").append(a.header("ratelimit"));
}

auto by_field = [](apus::request& req) { return req.header("x-key"); };

}  // namespace

TEST_CASE("requests over the rate get 429, and every response has the remaining quota") {
    client c(limited(rate_limit(two_a_day)));
    CHECK(fields(c.get("/")) == "200 \"default\";q=2;w=86400 \"default\";r=1;t=43200");
    CHECK(fields(c.get("/later")) == "200 \"default\";q=2;w=86400 \"default\";r=0;t=86400");
    const auto over = c.get("/");
    CHECK(fields(over) == "429 \"default\";q=2;w=86400 \"default\";r=0;t=86400");
    CHECK(over.header("retry-after") == "43200");
    CHECK(over.header("content-type") == "application/problem+json");
    CHECK(over.body.contains("\"detail\":\"too many requests: try again in 43200 s\""));
    CHECK_FALSE(over.closed);
    CHECK(c.get("/none").status == 429);
}

TEST_CASE("a request over the rate reaches no handler") {
    int calls = 0;
    app a;
    a.use(rate_limit({.requests = 1}));
    a.get("/", [&calls] { ++calls; });
    client c(std::move(a));
    CHECK(c.get("/").status == 204);
    CHECK(c.get("/").status == 429);
    CHECK(calls == 1);
}

TEST_CASE("keys come from the function") {
    client c(limited(rate_limit(two_a_day, by_field)));
    for (const char* key : {"a", "b"}) {
        CHECK(c.get("/", {{"x-key", key}}).status == 200);
        CHECK(c.get("/", {{"x-key", key}}).status == 200);
        CHECK(c.get("/", {{"x-key", key}}).status == 429);
    }
    // All requests without the field share one bucket.
    CHECK(c.get("/").status == 200);
    CHECK(c.get("/").status == 200);
    CHECK(c.get("/").status == 429);
}

TEST_CASE("behind trusted proxies, keys are the forwarded clients") {
    struct row {
        const char* forwarded;
        int status;
    };
    const row rows[] = {
        {"192.0.2.1", 200},
        {"192.0.2.2", 200},
        {"192.0.2.1", 200},
        {"192.0.2.1", 429},
        {"203.0.113.9, 192.0.2.1", 429},  // forged addresses have no effect
        {"192.0.2.2", 200},
        {"192.0.2.2", 429},
        {"2001:db8::1", 200},
        {"2001:db8::2", 200},
        {"2001:db8::3", 429},
    };
    app a;
    a.use(apus::trusted_proxies({"unix"}));
    a.mount(limited(rate_limit(two_a_day)));
    client c(std::move(a));
    for (const auto& row : rows) {
        CAPTURE(row.forwarded);
        CHECK(c.get("/", {{"x-forwarded-for", row.forwarded}}).status == row.status);
    }
    // Without trusted_proxies, X-Forwarded-For is ignored: all requests come from the peer.
    client alone(limited(rate_limit(two_a_day)));
    CHECK(alone.get("/", {{"x-forwarded-for", "192.0.2.1"}}).status == 200);
    CHECK(alone.get("/", {{"x-forwarded-for", "192.0.2.2"}}).status == 200);
    CHECK(alone.get("/", {{"x-forwarded-for", "192.0.2.3"}}).status == 429);
}

TEST_CASE("a request without a key is not counted") {
    auto writers_only = [](apus::request& req) -> std::optional<std::string> {
        if (req.method() == apus::method::get) return std::nullopt;
        return "writer";
    };
    app a = limited(rate_limit(two_a_day, writers_only));
    a.post("/", [] {});
    client c(std::move(a));
    for (int i = 0; i < 5; ++i) CHECK(fields(c.get("/")) == "200  ");
    CHECK(c.post("/", {}).status == 204);
    CHECK(c.post("/", {}).status == 204);
    CHECK(c.post("/", {}).status == 429);
}

TEST_CASE("copies share their buckets, also between threads; another limit has its own") {
    const rate_limit limit(two_a_day);
    client first(limited(limit));
    CHECK(first.get("/").status == 200);
    std::thread([&] {
        client second(limited(limit));
        CHECK(second.get("/").status == 200);
        CHECK(second.get("/").status == 429);
    }).join();
    CHECK(first.get("/").status == 429);
    client other(limited(rate_limit(two_a_day)));
    CHECK(other.get("/").status == 200);
}

TEST_CASE("limits of an app and of a group both apply, each by name") {
    app part;
    part.use(rate_limit({.requests = 1, .name = "part"}));
    part.get("/", [] {});
    app whole;
    whole.use(rate_limit({.requests = 5, .burst = 3, .name = "a \"whole\" app"}));
    whole.mount("/part", std::move(part));
    whole.get("/", [] {});
    client c(std::move(whole));
    const auto both = c.get("/part");
    CHECK(both.status == 204);
    CHECK(both.head.contains("RateLimit-Policy: \"part\";q=1;w=60\r\n"));
    CHECK(both.head.contains("RateLimit-Policy: \"a \\\"whole\\\" app\";q=5;w=60\r\n"));
    CHECK(both.head.contains("RateLimit: \"a \\\"whole\\\" app\";r=2;t=12\r\n"));
    CHECK(c.get("/part").status == 429);
    CHECK(c.get("/").status == 204);
    CHECK(c.get("/").status == 429);
}

TEST_CASE("the RateLimit fields are optional") {
    client c(limited(rate_limit({.requests = 1, .fields = false})));
    CHECK(fields(c.get("/")) == "200  ");
    const auto over = c.get("/later");
    CHECK(fields(over) == "429  ");
    CHECK(over.header("retry-after") == "60");
}

TEST_CASE("clients are identified by address, or by network for IPv6") {
    struct row {
        const char* address;
        const char* key;
    };
    const row rows[] = {
        {"192.0.2.7", "192.0.2.7"},
        {"2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"},
        {"2001:db8:1:2::9", "2001:db8:1:2::/64"},
        {"2001:db8:1:3::9", "2001:db8:1:3::/64"},
        {"::1", "::/64"},
        {"::ffff:192.0.2.7", "192.0.2.7"},
        {"unix", "unix"},
        {"", ""},
        {"fe80::1%eth0", "fe80::1%eth0"},
        {"no:address", "no:address"},
        {"1:2:3:4:5:6:7:8:9:1:2:3:4:5:6:7:8:9:1:2:3:4:5:6:7:8:9",
         "1:2:3:4:5:6:7:8:9:1:2:3:4:5:6:7:8:9:1:2:3:4:5:6:7:8:9"},
    };
    for (const auto& row : rows) CHECK(apus::client_network(row.address) == row.key);
}

TEST_CASE("rate limit: invalid options are rejected") {
    CHECK_THROWS_AS(rate_limit({.requests = 0}), std::invalid_argument);
    CHECK_THROWS_AS(rate_limit({.period = apus::milliseconds(0)}), std::invalid_argument);
    CHECK_THROWS_AS(rate_limit({.period = apus::seconds(367 * 86'400)}), std::invalid_argument);
    CHECK_THROWS_AS(rate_limit({.requests = 1, .period = apus::seconds(86'400), .burst = 1'000}),
                    std::invalid_argument);
    CHECK_THROWS_AS(rate_limit({.name = "new\nline"}), std::invalid_argument);
    CHECK_THROWS_AS(rate_limit({.name = "n\xc3\xa4me"}, by_field), std::invalid_argument);
}
