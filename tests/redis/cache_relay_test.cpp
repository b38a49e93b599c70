// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/cache_relay.hpp>

#include "redis/redis_server.hpp"

#include <apus/app.hpp>
#include <apus/test.hpp>

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>

using namespace apus;
using namespace apus::test;

namespace {

/// A cache with its relay, as a process has them. The responses contain the number of runs of the handler.
struct node {
    explicit node(const std::string& url) : relay(redis::client(url, {.connect_timeout = milliseconds(200)}), cache) {}

    app make() {
        app a;
        a.use(cache);
        a.get("/page", [this] {
            apus::response res = apus::response::text(std::to_string(++runs));
            res.header("cache-control", "max-age=600").header("cache-tag", "page");
            return res;
        });
        a.post("/drop", [this] { return relay.drop_tag("page"); });
        a.background([this] { return relay.run(); });
        return a;
    }

    int runs = 0;
    response_cache cache;
    redis::cache_relay relay;
};

bool soon(const std::function<bool()>& done) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!done())
        if (std::chrono::steady_clock::now() >= until) return false;
    return true;
}

}  // namespace

TEST_CASE("a dropped tag drops responses of other processes, and a lost connection drops all responses") {
    redis_server server;
    node one(server.url()), other(server.url());
    app both;
    both.mount("/one", one.make());
    both.mount("/other", other.make());
    both.get("/clients", [db = redis::client(server.url())]() -> task<std::string> {
        const auto found = co_await db.command<std::vector<std::string>>("PUBSUB", "NUMSUB", "cache-tags");
        co_return found.at(1);
    });
    test::client c(std::move(both));
    CHECK(soon([&] { return c.get("/clients").body == "2"; }));
    // After the gap that begins the subscriptions, responses are kept.
    CHECK(soon([&] { return c.get("/other/page").body == c.get("/other/page").body; }));
    const auto before = c.get("/other/page").body;
    CHECK(c.get("/one/page").body == c.get("/one/page").body);
    CHECK(c.post("/one/drop", "").status == 204);
    CHECK(soon([&] { return c.get("/other/page").body != before; }));
    const auto kept = c.get("/other/page").body;
    for (int i = 0; i < 20; ++i) CHECK(c.get("/other/page").body == kept);

    server.kill();
    const auto own = c.get("/one/page").body;
    CHECK(c.post("/one/drop", "").status == 503);
    CHECK(c.get("/one/page").body != own);  // this process has dropped its responses
    server.start();
    CHECK(soon([&] { return c.get("/clients").body == "2"; }));
    CHECK(soon([&] { return c.get("/other/page").body != kept; }));  // messages may have been missed
    CHECK(soon([&] { return c.get("/other/page").body == c.get("/other/page").body; }));
    const auto again = c.get("/other/page").body;
    // Each process connects again by itself, after a pause that grows.
    CHECK(soon([&] { return c.post("/one/drop", "").status == 204; }));
    CHECK(soon([&] { return c.get("/other/page").body != again; }));
}

TEST_CASE("invalid relays of caches") {
    const response_cache cache;
    CHECK_THROWS_AS(redis::cache_relay(redis::client("redis://h"), cache, ""), std::invalid_argument);
}
