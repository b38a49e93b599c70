// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/session_store.hpp>

#include "redis/redis_server.hpp"

#include <string>

using namespace apus;
using namespace apus::test;

TEST_CASE("sessions on Redis: stored, replaced, expired") {
    on_each_loop([](redis_server&, redis_user& u) {
        redis::session_store store(u.client, "s:");
        CHECK(u.value(store.load("a")) == std::nullopt);
        const std::string bytes("\0\xff\r\n", 4);
        u.value(store.save("a", bytes, seconds(100)));
        CHECK(u.value(store.load("a")) == bytes);
        u.value(store.save("a", "other", seconds(50)));
        CHECK(u.value(store.load("a")) == "other");
        CHECK(u.value(u.client.command<int>("TTL", "s:a")) == 50);
        u.value(store.save("b", "short", milliseconds(20)));
        CHECK(u.turn_until([&] { return !u.value(store.load("b")); }));
    });
}

TEST_CASE("sessions on Redis: a removed session is not restored by a request in flight") {
    redis_server server;
    redis_user u(server.url());
    redis::session_store store(u.client);
    u.value(store.save("a", "x", seconds(100)));
    u.value(store.remove("a"));
    CHECK(u.value(store.load("a")) == std::nullopt);
    u.value(store.save("a", "y", seconds(100)));
    CHECK(u.value(store.load("a")) == std::nullopt);
    CHECK(u.value(u.client.command<int>("TTL", "session:a")) == 600);
    // Removing a session marks it as removed, unless the session is unknown.
    u.value(store.remove("unknown"));
    CHECK(u.value(u.client.command<int>("DBSIZE")) == 1);
}

TEST_CASE("sessions on Redis: 503 without a server") {
    redis_user u("unix:/nowhere/redis.sock", "epoll", {.connect_timeout = milliseconds(50)});
    redis::session_store store(u.client);
    CHECK(u.failure(store.load("a")).starts_with("503 "));
    CHECK(u.failure(store.save("a", "x", seconds(1))).starts_with("503 "));
    CHECK(u.failure(store.remove("a")).starts_with("503 "));
}
