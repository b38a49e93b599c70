// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/rate_limit_store.hpp>

#include "redis/redis_server.hpp"
#include "redis/scripted_redis.hpp"

#include <string>

using namespace apus;
using namespace apus::test;

namespace {

std::string take(redis_user& u, redis::rate_limit_store& of, const char* key, duration interval, std::uint64_t burst) {
    const auto got = u.value(of.take(key, interval, burst));
    return (got.allowed ? "yes " : "no ") + std::to_string((got.until_full.milliseconds() + 999) / 1'000);
}

}  // namespace

TEST_CASE("rate limits on Redis: a bucket has its burst, and expires when it is full") {
    on_each_loop([](redis_server&, redis_user& u) {
        redis::rate_limit_store store(u.client, "r:");
        CHECK(take(u, store, "a", seconds(100), 3) == "yes 100");
        CHECK(take(u, store, "a", seconds(100), 3) == "yes 200");
        CHECK(take(u, store, "a", seconds(100), 3) == "yes 300");
        CHECK(take(u, store, "a", seconds(100), 3) == "no 300");
        CHECK(take(u, store, "b", seconds(100), 3) == "yes 100");
        CHECK(u.value(u.client.command<int>("TTL", "r:a")) >= 299);
        CHECK(u.value(u.client.command<int>("TTL", "r:b")) <= 100);
        CHECK(take(u, store, "c", milliseconds(20), 1) == "yes 1");
        CHECK(u.turn_until([&] { return u.value(u.client.command<int>("EXISTS", "r:c")) == 0; }));
        CHECK(take(u, store, "c", milliseconds(20), 1) == "yes 1");
    });
}

TEST_CASE("rate limits on Redis: values of other programs and versions count as full buckets") {
    redis_server server;
    redis_user u(server.url());
    redis::rate_limit_store store(u.client);
    struct row {
        const char *command, *value;
        const char* expected;
    };
    const row rows[] = {
        {"SET", "", "yes 10"},
        {"SET", "v2:{}", "yes 10"},
        {"SET", "nan", "yes 10"},
        {"SET", "-1", "yes 10"},
        {"SET", "12", "yes 10"},
        {"LPUSH", "item", "yes 10"},
        {"SADD", "item", "yes 10"},
        // A time that is too far ahead counts as an empty bucket, which fills at the usual rate.
        {"SET", "1e300", "no 20"},
        {"SET", "9000000000000000", "no 20"},
        {"SET", "inf", "no 20"},
    };
    for (const auto& [command, value, expected] : rows) {
        CAPTURE(command);
        CAPTURE(value);
        u.value(u.client.del("rate:k"));
        u.value(u.client.command<>(command, "rate:k", value));
        CHECK(take(u, store, "k", seconds(10), 2) == expected);
    }
}

TEST_CASE("rate limits on Redis: scripts that were flushed are sent again") {
    redis_server server;
    redis_user u(server.url());
    redis::rate_limit_store store(u.client);
    CHECK(take(u, store, "a", seconds(100), 2) == "yes 100");
    u.value(u.client.command<>("SCRIPT", "FLUSH"));
    CHECK(take(u, store, "a", seconds(100), 2) == "yes 200");
    CHECK(take(u, store, "a", seconds(100), 2) == "no 200");
}

TEST_CASE("rate limits on Redis: errors and unexpected replies") {
    struct row {
        const char *says, *expected;
    };
    const row rows[] = {
        {"-OOM command not allowed\r\n", "500"},
        {"-NOPERM no\r\n", "500"},
        {"-LOADING wait\r\n", "503"},
        {"+OK\r\n", "500"},
        {"*1\r\n:1\r\n", "500"},
        {"*2\r\n:1\r\n$1\r\nx\r\n", "500"},
        {"*2\r\n*0\r\n:1\r\n", "500"},
        {"_\r\n", "500"},
    };
    for (const auto& [says, expected] : rows) {
        CAPTURE(says);
        scripted_redis server({.says = {redis_hello, says}});
        redis_user u(server.url());
        redis::rate_limit_store store(u.client);
        CHECK(u.failure(store.take("k", seconds(1), 1)).substr(0, 3) == expected);
    }
}
