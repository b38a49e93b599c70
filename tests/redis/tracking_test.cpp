// SPDX-License-Identifier: Apache-2.0
#include "redis/pool.hpp"

#include "redis/redis_server.hpp"
#include "redis/scripted_redis.hpp"
#include "support/tcp_proxy.hpp"

#include <map>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;
using support::tcp_proxy;

namespace {

const redis::client_options caching{.cache = {.bytes = 1'000'000, .max_silence = seconds(600)}};

/// Returns how often Redis has executed a command, by the statistics that another client reads.
std::string calls(redis_user& u, const redis::client& other, const std::string& command) {
    const auto text = u.value(other.command<std::string>("INFO", "commandstats"));
    const auto begin = text.find("cmdstat_" + command + ":calls=");
    if (begin == text.npos) return "0";
    const auto number = text.find('=', begin) + 1;
    return text.substr(number, text.find(',', number) - number);
}

}  // namespace

TEST_CASE("repeated reads are not sent, and each change is seen") {
    on_each_loop(
        [](redis_server& server, redis_user& u) {
            const redis::client other(server.url());
            u.value(other.set("k", "one"));
            u.value(other.hash("h").set("f", 1));
            for (int i = 0; i < 10; ++i) CHECK(u.value(u.client.get("k")) == "one");
            for (int i = 0; i < 10; ++i) CHECK(u.value(u.client.hash("h").get<int>("f")) == 1);
            for (int i = 0; i < 10; ++i) CHECK(!u.value(u.client.get("missing")).has_value());
            CHECK(calls(u, other, "get") == "2");
            CHECK(calls(u, other, "hget") == "1");
            const auto becomes = [&](const std::string& value) {
                return u.turn_until([&] { return u.value(u.client.get("k")) == value; });
            };
            u.value(other.set("k", "two"));
            CHECK(becomes("two"));
            u.value(other.set("missing", "found"));
            CHECK(u.turn_until([&] { return u.value(u.client.get("missing")).has_value(); }));
            u.value(other.command<>("FLUSHALL"));
            CHECK(u.turn_until([&] { return !u.value(u.client.get("k")).has_value(); }));
            u.value(other.set("k", "short", {.expires = milliseconds(50)}));
            CHECK(becomes("short"));
            CHECK(u.turn_until([&] { return !u.value(u.client.get("k")).has_value(); }));
        },
        caching);
}

TEST_CASE("a client sees its own changes at once") {
    on_each_loop(
        [](redis_server&, redis_user& u) {
            const redis::script add("return redis.call('INCR', KEYS[1])");
            for (int i = 0; i < 200; ++i) {
                const int n = 5 * i;
                CHECK(u.value(u.client.get<int>("n")).value_or(0) == n);
                u.value(u.client.incr("n"));
                CHECK(u.value(u.client.get<int>("n")) == n + 1);
                u.value(u.client.eval<int>(add, "n"));
                CHECK(u.value(u.client.get<int>("n")) == n + 2);
                redis::batch two;
                two.add("INCR", "n").add("incr", "n");
                u.value(u.client.run(two));
                CHECK(u.value(u.client.get<int>("n")) == n + 4);
                redis::batch one;
                one.add("INCR", "n");
                u.value(u.client.run_atomically(one));
                CHECK(u.value(u.client.get<int>("n")) == n + 5);
            }
            // A read that is sent before a change is not stored after it.
            running_task read(u.client.get<int>("n"));
            running_task write(u.client.set("n", 7));
            finished(read);
            finished(write);
            CHECK(u.value(u.client.get<int>("n")) == 7);
        },
        caching);
}

TEST_CASE("a lost connection clears the cache") {
    on_each_loop(
        [](redis_server& server, redis_user& u) {
            u.value(u.client.set("k", "old"));
            CHECK(u.value(u.client.get("k")) == "old");
            server.kill();
            server.start();
            CHECK(u.turn_until([&] { return u.run(u.client.get("k")).value_or("old") == std::nullopt; }));
        },
        caching);
}

TEST_CASE("a network that is cut silently hides changes at most for max_silence") {
    for (const char* backend : {"epoll", "uring"}) {
        redis_server server;
        tcp_proxy proxy(server.path());
        redis::client_options how{.command_timeout = milliseconds(200), .connect_timeout = milliseconds(200)};
        how.cache = {.bytes = 1'000'000, .max_silence = milliseconds(100)};
        redis_user u("redis://127.0.0.1:" + std::to_string(proxy.port()), backend, how);
        u.value(u.client.set("k", "old"));
        CHECK(u.value(u.client.get("k")) == "old");
        proxy.set(tcp_proxy::mode::silent);
        CHECK(u.turn_until([&] { return !u.run(u.client.get("k")).has_value(); }));
        const redis::client other(server.url());
        u.value(other.set("k", "new"));
        proxy.set(tcp_proxy::mode::forward);
        CHECK(u.turn_until([&] {
            const auto got = u.run(u.client.get("k"));
            CHECK((!got || *got == "new"));
            return got.has_value();
        }));
    }
}

TEST_CASE("replies that are older than max_age are read again") {
    redis_server server;
    auto how = caching;
    how.cache.max_age = duration();
    redis_user u(server.url(), "epoll", how);
    const redis::client other(server.url());
    CHECK(u.turn_until([&] {
        u.value(u.client.get("k"));
        return calls(u, other, "get") != "1";
    }));
}

TEST_CASE("a Redis that refuses CLIENT TRACKING: nothing is cached") {
    redis_server server({"--user", "default", "on", "nopass", "~*", "&*", "+@all", "-client|tracking"});
    redis_user u(server.url(), "epoll", caching);
    const redis::client other(server.url());
    for (int i = 0; i < 3; ++i) CHECK(!u.value(u.client.get("k")).has_value());
    CHECK(calls(u, other, "get") == "3");
}

TEST_CASE("commands that are not cached") {
    on_each_loop(
        [](redis_server& server, redis_user& u) {
            const redis::client other(server.url());
            u.value(u.client.set("k", 1, {.expires = seconds(100)}));
            for (int i = 0; i < 3; ++i) {
                u.value(u.client.command<long long>("PTTL", "k"));
                u.value(u.client.command<std::vector<std::optional<int>>>("MGET", "k", "l"));
                CHECK(u.failure(u.client.command<>("LLEN", "k")).starts_with("500 WRONGTYPE"));
                const auto reserved = u.value(u.client.reserve());
                u.value(reserved.get("k"));
            }
            for (const char* name : {"pttl", "mget", "llen", "get"}) CHECK(calls(u, other, name) == "3");
        },
        caching);
}

TEST_CASE("messages about changes before, after and between replies, and malformed ones") {
    const std::string changed = ">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nk\r\n", old = "$3\r\nold\r\n",
                      fresh = "$3\r\nnew\r\n";
    // The texts after the greeting and the reply to CLIENT TRACKING, and the expected results of two calls of `get`.
    const std::vector<std::tuple<std::vector<std::string>, std::string, std::string>> cases = {
        {{old, fresh}, "old", "old"},
        {{changed + old, fresh}, "old", "old"},
        {{old + changed, fresh}, "old", "new"},
        {{old + ">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nx\r\n", fresh}, "old", "old"},
        {{old + ">2\r\n$10\r\ninvalidate\r\n_\r\n", fresh}, "old", "new"},
        {{old + ">1\r\n$10\r\ninvalidate\r\n", fresh}, "old", "new"},
        {{old + ">2\r\n$10\r\ninvalidate\r\n:1\r\n", fresh}, "old", "new"},
        {{old + ">3\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nx\r\n:1\r\n", fresh}, "old", "new"},
        {{old + ">2\r\n$10\r\ninvalidate\r\n*2\r\n*1\r\n:1\r\n$1\r\nx\r\n", fresh}, "old", "new"},
        {{old + ">0\r\n>2\r\n$5\r\nother\r\n*1\r\n$1\r\nk\r\n", fresh}, "old", "old"},
    };
    for (const char* backend : {"epoll", "uring"})
        for (const std::size_t piece : {0UL, 1UL})
            for (const auto& [says, first, second] : cases) {
                CAPTURE(says);
                std::vector<std::string> all{redis_hello, "+OK\r\n"};
                all.insert(all.end(), says.begin(), says.end());
                const scripted_redis server({.says = all, .piece = piece});
                redis_user u(server.url(), backend, caching);
                CHECK(u.value(u.client.get("k")) == first);
                u.at.loop->turn(piece ? 100 : 0);
                for (int i = 0; i < 100 && piece; ++i) u.at.loop->turn(1);
                // A loaded machine may deliver the message later; until then, the cache responds.
                CHECK(u.turn_until([&] { return u.value(u.client.get("k")) == second; }));
            }
}
