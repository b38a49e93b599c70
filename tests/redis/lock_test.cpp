// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/lock.hpp>

#include "redis/redis_server.hpp"

#include <apus/sleep.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;

namespace {

task<long long> token_of(redis::lock of) {
    co_return co_await of.run([](long long token) -> task<long long> { co_return token; });
}

// Holds the lock until `open` is set.
struct holder {
    bool inside = false, open = false, cancelled = true;

    task<> hold(redis::lock of) {
        co_await of.run([this](long long) -> task<> {
            struct mark {
                bool& inside;
                ~mark() { inside = false; }
            } mark{inside};
            inside = true;
            while (!open) co_await sleep_for(milliseconds(1));
            cancelled = false;
        });
    }
};

}  // namespace

TEST_CASE("locks on Redis: fencing tokens increase, also after Redis has lost its data") {
    on_each_loop([](redis_server&, redis_user& u) {
        const redis::lock lock(u.client, "a");
        long long last = 0;
        for (int i = 0; i < 6; ++i) {
            const long long token = u.value(token_of(lock));
            CHECK(token > last);
            last = token;
            CHECK(u.value(u.client.command<int>("EXISTS", "lock:a")) == 0);
            if (i % 2 == 1) u.value(u.client.command<>("FLUSHALL"));
        }
    });
}

TEST_CASE("locks on Redis: one task holds a lock, and others get it after its release") {
    on_each_loop([](redis_server&, redis_user& u) {
        const redis::lock lock(u.client, "a");
        std::vector<holder> all(5);
        std::vector<std::unique_ptr<running_task<void>>> running;
        for (auto& one : all) running.push_back(std::make_unique<running_task<void>>(one.hold(lock)));
        const auto inside = [&all] { return std::ranges::count_if(all, &holder::inside); };
        for (std::size_t done = 0; done < all.size(); ++done) {
            REQUIRE(u.turn_until([&] { return inside() == 1; }));
            for (int i = 0; i < 3; ++i) {
                u.at.loop->turn(1);
                CHECK(inside() == 1);
            }
            holder& one = *std::ranges::find_if(all, &holder::inside);
            one.open = true;
            REQUIRE(u.turn_until([&] { return !one.inside; }));
        }
        REQUIRE(u.turn_until([&] { return std::ranges::all_of(running, [](auto& r) { return r->ended(); }); }));
        for (auto& one : running) CHECK(finished(*one).has_value());
        // Waiting tasks are notified, so five releases cause only a few attempts.
        const auto stats = u.value(u.client.command<std::string>("INFO", "commandstats"));
        const auto at = stats.find("cmdstat_exists:calls=");
        CHECK(std::stoi(stats.substr(at + 21)) <= 40);
    });
}

TEST_CASE("locks on Redis: 503 if it is not released in time, or without waiting") {
    redis_server server;
    redis_user u(server.url());
    holder one;
    running_task<void> first(one.hold(redis::lock(u.client, "a")));
    REQUIRE(u.turn_until([&] { return one.inside; }));
    CHECK(u.failure(token_of(redis::lock(u.client, "a", {.wait = milliseconds(30)}))).starts_with("503 "));
    CHECK(u.failure(token_of(redis::lock(u.client, "a", {.wait = milliseconds(0)}))).starts_with("503 "));
    CHECK(u.value(token_of(redis::lock(u.client, "b"))) > 0);
    one.open = true;
    CHECK(finished(first).has_value());
    CHECK(u.value(token_of(redis::lock(u.client, "a", {.wait = milliseconds(0)}))) > 0);
}

TEST_CASE("locks on Redis: a cancelled holder's lock is acquired after its lease") {
    redis_server server;
    redis_user u(server.url());
    const redis::lock lock(u.client, "a", {.lease = milliseconds(100)});
    holder one;
    {
        running_task<void> cancelled(one.hold(lock));
        REQUIRE(u.turn_until([&] { return one.inside; }));
    }
    CHECK_FALSE(one.inside);
    CHECK(u.value(u.client.command<long long>("EXISTS", "lock:a")) == 1);
    CHECK(u.value(token_of(lock)) > 0);
}

TEST_CASE("locks on Redis: a lock is released if its task is cancelled while acquiring it") {
    redis_server server;
    redis_user u(server.url());
    const redis::lock lock(u.client, "a", {.wait = seconds(60), .lease = seconds(60)});
    CHECK(u.value(token_of(lock)) > 0);  // connects
    for (int i = 0; i < 20; ++i) running_task<long long> cancelled(token_of(lock));
    CHECK(u.value(token_of(lock)) > 0);
}

TEST_CASE("locks on Redis: the lock of a dead process is acquired after its lease") {
    redis_server server;
    redis_user u(server.url());
    u.value(u.client.command<std::string>("SET", "lock:a", "owner", "PX", 100));
    CHECK(u.value(token_of(redis::lock(u.client, "a"))) > 0);
}

TEST_CASE("locks on Redis: a held lock is renewed") {
    redis_server server;
    redis_user u(server.url());
    const redis::lock lock(u.client, "a", {.wait = milliseconds(300), .lease = milliseconds(100)});
    holder one;
    running_task<void> first(one.hold(lock));
    REQUIRE(u.turn_until([&] { return one.inside; }));
    CHECK(u.failure(token_of(lock)).starts_with("503 "));
    CHECK(one.inside);
    one.open = true;
    CHECK(finished(first).has_value());
    CHECK_FALSE(one.cancelled);
}

TEST_CASE("locks on Redis: the holder of a lost lock is cancelled") {
    struct row {
        const char* name;
        void (*lose)(redis_server&, redis_user&);
        const char* why;
    };
    const row rows[] = {
        {"removed", [](redis_server&, redis_user& u) { u.value(u.client.del("lock:a")); }, "was removed"},
        {"taken", [](redis_server&, redis_user& u) { u.value(u.client.set("lock:a", "other")); }, "was removed"},
        {"killed", [](redis_server& s, redis_user&) { s.kill(); }, "unreachable"},
    };
    for (const auto& [name, lose, why] : rows) {
        CAPTURE(name);
        redis_server server;
        redis_user u(server.url(), "epoll", {.connect_timeout = milliseconds(50)});
        holder one;
        running_task<void> running(one.hold(redis::lock(u.client, "a", {.lease = milliseconds(200)})));
        REQUIRE(u.turn_until([&] { return one.inside; }));
        lose(server, u);
        const std::string failed = u.failure(finished(running));
        CHECK(failed.starts_with("503 "));
        CHECK(failed.contains(why));
        CHECK_FALSE(one.inside);
        CHECK(one.cancelled);
    }
}

TEST_CASE("locks on Redis: errors of the function release the lock") {
    redis_server server;
    redis_user u(server.url());
    const redis::lock lock(u.client, "a");
    CHECK(u.failure(lock.run([](long long) -> task<> { co_await fail(409, "no").cause("mine"); })) == "409 mine");
    CHECK(u.failure(lock.run([](long long) -> task<int> {
               throw std::runtime_error("thrown");
               co_return 1;
           })).starts_with("500"));
    CHECK(u.value(u.client.command<int>("EXISTS", "lock:a")) == 0);
    // A key of another type counts as a lock of another program, which does not expire.
    u.value(u.client.command<>("LPUSH", "lock:a", "x"));
    CHECK(u.failure(token_of(redis::lock(u.client, "a", {.wait = milliseconds(10)}))).starts_with("503 "));
    u.value(u.client.command<>("LPUSH", "{lock:b}:token", "x"));
    CHECK(u.failure(token_of(redis::lock(u.client, "b"))).starts_with("500 "));
    CHECK(u.value(u.client.command<int>("EXISTS", "lock:b")) == 0);
}

TEST_CASE("locks on Redis: invalid options are rejected") {
    redis_user u("unix:/nowhere/redis.sock");
    CHECK_THROWS_AS(redis::lock(u.client, ""), std::invalid_argument);
    CHECK_THROWS_AS(redis::lock(u.client, "a", {.wait = milliseconds(-1)}), std::invalid_argument);
    CHECK_THROWS_AS(redis::lock(u.client, "a", {.lease = milliseconds(99)}), std::invalid_argument);
}
