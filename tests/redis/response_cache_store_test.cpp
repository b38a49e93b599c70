// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/response_cache_store.hpp>

#include "redis/redis_server.hpp"
#include "redis/scripted_redis.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;

namespace {

using store = redis::response_cache_store;
using names = std::vector<std::string>;

std::string began(redis_user& u, store& s) { return u.value(s.find("none")).began; }

bool put(redis_user& u, store& s, const std::string& key, const names& tags, const std::string& since,
         duration lifetime = seconds(100)) {
    return u.value(s.put({.key = key, .bytes = key + " bytes", .tags = tags, .lifetime = lifetime, .began = since}));
}

std::string bytes(redis_user& u, store& s, const std::string& key) { return u.value(s.find(key)).bytes; }

}  // namespace

TEST_CASE("cached responses on Redis: bytes are found until they expire") {
    on_each_loop([](redis_server&, redis_user& u) {
        store one(u.client), other(u.client), separate(u.client, "other");
        CHECK(bytes(u, one, "k").empty());
        const std::string binary("\0\xff\r\n", 4);
        CHECK(u.value(
            one.put({.key = "k", .bytes = binary, .tags = {"t"}, .lifetime = seconds(100), .began = began(u, one)})));
        const auto found = u.value(other.find("k"));
        CHECK(found.bytes == binary);
        CHECK(found.left > seconds(95));
        CHECK(found.left <= seconds(100));
        CHECK(bytes(u, separate, "k").empty());
        CHECK(u.value(u.client.command<int>("TTL", "{responses}:r:k")) >= 99);
        CHECK(u.value(u.client.command<int>("TTL", "{responses}:t:t")) >= 99);
        CHECK(put(u, one, "short", {"t"}, began(u, one), milliseconds(20)));
        CHECK(u.value(u.client.command<int>("TTL", "{responses}:t:t")) >= 99);  // not shorter
        CHECK(u.turn_until([&] { return bytes(u, one, "short").empty(); }));
        CHECK(bytes(u, one, "k") == binary);
        constexpr std::int64_t longest = std::int64_t(2) << 31U;  // of a response: max-age and stale-while-revalidate
        CHECK(put(u, one, "long", {"t"}, began(u, one), seconds(longest)));
        CHECK(u.value(one.find("long")).left > seconds(longest - 10));
    });
}

TEST_CASE("cached responses on Redis: a dropped tag hides its responses from all stores") {
    on_each_loop([](redis_server&, redis_user& u) {
        store one(u.client), other(u.client);
        CHECK(put(u, one, "a", {"all", "x"}, began(u, one)));
        CHECK(put(u, one, "b", {"all", "y"}, began(u, one)));
        CHECK(put(u, one, "c", {}, began(u, one)));
        u.value(other.drop({"x"}));
        CHECK(bytes(u, one, "a").empty());
        CHECK(bytes(u, one, "b") == "b bytes");
        CHECK(put(u, other, "a", {"all", "x"}, began(u, other)));
        CHECK(bytes(u, one, "a") == "a bytes");
        u.value(one.drop({"unknown", "all"}));
        CHECK(bytes(u, other, "a").empty());
        CHECK(bytes(u, other, "b").empty());
        CHECK(bytes(u, other, "c") == "c bytes");
        u.value(one.drop({}));
        // Keys of dropped tags expire, so that requests cannot fill Redis with them.
        CHECK(u.value(u.client.command<int>("TTL", "{responses}:t:unknown")) <= 120);
        CHECK(u.value(u.client.command<int>("TTL", "{responses}:t:unknown")) >= 100);
    });
}

TEST_CASE("cached responses on Redis: a handler that began before a drop does not store its response") {
    on_each_loop([](redis_server&, redis_user& u) {
        store one(u.client);
        const auto before = began(u, one);
        CHECK(put(u, one, "a", {"x"}, before));
        CHECK(put(u, one, "b", {"x"}, before));  // a tag that another response has created is not a drop
        u.value(one.drop({"x"}));
        CHECK_FALSE(put(u, one, "a", {"x"}, before));
        CHECK_FALSE(put(u, one, "a", {"other", "x"}, before));
        CHECK(put(u, one, "c", {"other"}, before));
        CHECK(bytes(u, one, "a").empty());
        CHECK(put(u, one, "a", {"x"}, began(u, one)));
        for (const char* wrong : {"", "x", "1 2", "1 2 3", "-1 2 3", "1 2 3 4"})
            CHECK_FALSE(put(u, one, "d", {}, wrong));
        // Results of `find` are valid for a minute.
        auto old = before.substr(0, before.rfind(' ') + 1);
        old += std::to_string(std::stoll(before.substr(before.rfind(' ') + 1)) - 61'000'000);
        CHECK_FALSE(put(u, one, "d", {}, old));
    });
}

TEST_CASE("cached responses on Redis: evicted and lost keys never bring dropped responses back") {
    on_each_loop([](redis_server& server, redis_user& u) {
        store one(u.client);
        const auto before = began(u, one);
        CHECK(put(u, one, "a", {"x"}, before));
        u.value(one.drop({"x"}));
        u.value(u.client.del("{responses}:t:x"));
        CHECK(bytes(u, one, "a").empty());
        CHECK(put(u, one, "b", {"x"}, began(u, one)));
        CHECK(bytes(u, one, "a").empty());
        CHECK(bytes(u, one, "b") == "b bytes");
        u.value(u.client.del("{responses}:clock"));
        CHECK(bytes(u, one, "b") == "b bytes");
        CHECK_FALSE(put(u, one, "c", {}, before));  // drops may be lost
        u.value(one.drop({"x"}));
        CHECK(bytes(u, one, "b").empty());
        const auto later = began(u, one);
        server.kill();
        server.start();
        CHECK(u.turn_until([&] {
            running_task<response_cache_store::found> again(one.find("a"));
            return finished(again).has_value();
        }));
        CHECK_FALSE(put(u, one, "c", {}, later));
        CHECK(put(u, one, "c", {}, began(u, one)));
    });
}

TEST_CASE("cached responses on Redis: keys of other programs are invalid entries, and are replaced") {
    redis_server server;
    redis_user u(server.url());
    store one(u.client);
    const std::vector<names> rows = {
        {"SET", "{responses}:r:k", "text"},
        {"LPUSH", "{responses}:r:k", "item"},
        {"HSET", "{responses}:r:k", "bytes", "b"},
        {"HSET", "{responses}:r:k", "bytes", "b", "tags", "t 1"},  // does not expire
        {"PERSIST", "{responses}:r:k"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.front());
        if (row.front() != "PERSIST") u.value(u.client.del("{responses}:r:k"));
        u.value(u.client.command<>(row.front(), names(row.begin() + 1, row.end())));
        const auto found = u.value(one.find("k"));
        CHECK(found.bytes == "invalid");
        CHECK(found.left == duration());
        CHECK(put(u, one, "k", {"t"}, found.began));
        CHECK(bytes(u, one, "k") == "k bytes");
    }
    for (const names& row : std::vector<names>{{"SET", "x"}, {"LPUSH", "x"}, {"SET", "d999"}, {"SET", "c"}}) {
        CAPTURE(row.back());
        u.value(u.client.del("{responses}:t:t"));
        u.value(u.client.command<>(row.front(), "{responses}:t:t", row.back()));
        CHECK(bytes(u, one, "k").empty());
        CHECK(put(u, one, "k", {"t"}, began(u, one)));
        CHECK(bytes(u, one, "k") == "k bytes");
        u.value(one.drop({"t"}));
        CHECK(bytes(u, one, "k").empty());
    }
    const std::vector<names> clocks = {{"SET", "{responses}:clock", "x"},
                                       {"HSET", "{responses}:clock", "epoch", "nan", "last", "inf"},
                                       {"HSET", "{responses}:clock", "epoch", "1", "last", "99999999999999999999"}};
    for (const auto& row : clocks) {
        CAPTURE(row.back());
        CHECK(put(u, one, "k", {"t"}, began(u, one)));
        u.value(u.client.del("{responses}:clock"));
        u.value(u.client.command<>(row.front(), names(row.begin() + 1, row.end())));
        u.value(one.drop({"t"}));
        CHECK(bytes(u, one, "k").empty());
        CHECK(put(u, one, "k", {"t"}, began(u, one)));
        CHECK(bytes(u, one, "k") == "k bytes");
    }
}

TEST_CASE("cached responses on Redis: errors and unexpected replies") {
    struct row {
        const char *says, *expected;
    };
    const row rows[] = {
        {"-OOM command not allowed\r\n", "500"},
        {"-NOPERM no\r\n", "500"},
        {"-LOADING wait\r\n", "503"},
        {"+OK\r\n", "500"},
        {"*0\r\n", "500"},
        {"*1\r\n$1\r\nx\r\n", "500"},
        {"*3\r\n$1\r\nx\r\n$1\r\nx\r\n$1\r\nx\r\n", "500"},
        {"*3\r\n$1\r\nx\r\n$2\r\n-1\r\n$1\r\nx\r\n", "500"},
        {"*3\r\n$1\r\nx\r\n$0\r\n\r\n$1\r\nx\r\n", "500"},
        {"*3\r\n$1\r\nx\r\n$19\r\n9223372036854775807\r\n$1\r\nx\r\n", "500"},
        {"*3\r\n$65\r\n00000000000000000000000000000000000000000000000000000000000000000\r\n$1\r\n1\r\n$0\r\n\r\n",
         "500"},
        {"*3\r\n$1\r\nx\r\n*0\r\n$1\r\nx\r\n", "500"},
        {"*4\r\n$1\r\nx\r\n$1\r\n1\r\n$1\r\nx\r\n$1\r\nx\r\n", "500"},
        {"_\r\n", "500"},
    };
    for (const auto& [says, expected] : rows) {
        CAPTURE(says);
        scripted_redis server({.says = {redis_hello, says}});
        redis_user u(server.url());
        store one(u.client);
        CHECK(u.failure(one.find("k")).substr(0, 3) == expected);
    }
    redis_user alone("unix:/nowhere/redis.sock", "epoll", {.connect_timeout = milliseconds(50)});
    store away(alone.client);
    CHECK(alone.failure(away.find("k")).starts_with("503 "));
    CHECK(alone.failure(away.put({.key = "k", .bytes = "b", .tags = {}, .lifetime = seconds(1), .began = "1 1 1"}))
              .starts_with("503 "));
    CHECK(alone.failure(away.drop({"t"})).starts_with("503 "));
    for (const char* name : {"", "{a", "a}"})
        CHECK_THROWS_AS(store(redis::client("redis://h"), name), std::invalid_argument);
}
