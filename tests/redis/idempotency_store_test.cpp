// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/idempotency_store.hpp>

#include "redis/redis_server.hpp"

#include <string>

using namespace apus;
using namespace apus::test;

TEST_CASE("idempotency keys on Redis: the first claim is kept until it is completed, released or expired") {
    on_each_loop([](redis_server&, redis_user& u) {
        redis::idempotency_store store(u.client, "i:");
        const std::string value("\0\xff\r\n", 4);
        CHECK(u.value(store.claim("k", "first", seconds(60))) == std::nullopt);
        CHECK(u.value(u.client.command<int>("TTL", "i:k")) == 60);
        CHECK(u.value(store.claim("k", "second", seconds(60))) == "first");
        CHECK_FALSE(u.value(store.complete("k", "second", "other", seconds(100))));
        u.value(store.release("k", "second"));
        CHECK(u.value(store.complete("k", "first", value, seconds(100))));
        CHECK(u.value(u.client.command<int>("TTL", "i:k")) == 100);
        CHECK(u.value(store.claim("k", "third", seconds(60))) == value);
        CHECK_FALSE(u.value(store.complete("k", "first", "again", seconds(100))));
        CHECK(u.value(store.claim("l", "first", milliseconds(20))) == std::nullopt);
        bool claimed = false;
        CHECK(u.turn_until([&] { return claimed = claimed || !u.value(store.claim("l", "second", seconds(60))); }));
        CHECK_FALSE(u.value(store.complete("l", "first", "late", seconds(100))));
        u.value(store.release("l", "second"));
        CHECK(u.value(u.client.command<int>("EXISTS", "i:l")) == 0);
    });
}

TEST_CASE("idempotency keys on Redis: keys of another type") {
    redis_server server;
    redis_user u(server.url());
    redis::idempotency_store store(u.client);
    u.value(u.client.command<>("LPUSH", "idempotency:k", "item"));
    CHECK(u.failure(store.claim("k", "c", seconds(1))).starts_with("500 WRONGTYPE"));
    CHECK(u.failure(store.complete("k", "c", "secret", seconds(1))).starts_with("500 WRONGTYPE"));
    CHECK(u.failure(store.release("k", "c")).starts_with("500 WRONGTYPE"));
}

TEST_CASE("idempotency keys on Redis: 503 without a server") {
    redis_user alone("unix:/nowhere/redis.sock", "epoll", {.connect_timeout = milliseconds(50)});
    redis::idempotency_store away(alone.client);
    CHECK(alone.failure(away.claim("k", "c", seconds(1))).starts_with("503 "));
    CHECK(alone.failure(away.complete("k", "c", "r", seconds(1))).starts_with("503 "));
    CHECK(alone.failure(away.release("k", "c")).starts_with("503 "));
}
