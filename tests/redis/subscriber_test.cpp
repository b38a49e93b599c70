// SPDX-License-Identifier: Apache-2.0
#include "redis/subscriber.hpp"

#include "redis/redis_server.hpp"
#include "redis/scripted_redis.hpp"
#include "support/tcp_proxy.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;
using support::tcp_proxy;

namespace {

using list = std::vector<std::string>;

/// A task that records messages: "channel payload", "(gap)", "! STATUS", "(end)".
struct message_recorder {
    explicit message_recorder(redis::subscription s) : from(std::move(s)), running(record()) {}

    task<> record() {
        while (true) {
            auto got = co_await from.next().outcome();
            if (!got) all.push_back("! " + std::to_string(got.error().status()));
            else if (*got) all.push_back((*got)->gap ? "(gap)" : (*got)->channel + " " + (*got)->payload);
            if (!got || !*got) break;
        }
        all.emplace_back("(end)");
    }
    bool has(const std::string& one) const { return std::ranges::find(all, one) != all.end(); }

    redis::subscription from;
    list all;
    running_task<void> running;
};

}  // namespace

TEST_CASE("Redis: messages of channels and patterns") {
    on_each_loop([](redis_server&, redis_user& u) {
        message_recorder one(u.client.subscribe("news")), same(u.client.subscribe("news"));
        message_recorder all(u.client.psubscribe("n*"));
        REQUIRE(u.turn_until([&] { return one.has("(gap)") && same.has("(gap)") && all.has("(gap)"); }));
        CHECK(u.value(u.client.publish("news", "a\r\n:b")) == 2);
        CHECK(u.value(u.client.publish("nine", "9:c")) == 1);
        REQUIRE(u.turn_until([&] { return all.all.size() == 3 && same.all.size() == 2 && one.all.size() == 2; }));
        CHECK(one.all == list{"(gap)", "news a\r\n:b"});
        CHECK(same.all == one.all);
        CHECK(all.all == list{"(gap)", "news a\r\n:b", "nine 9:c"});
        // The client has one connection for commands, and one for subscriptions.
        CHECK(u.value(u.client.command<std::string>("INFO", "clients")).contains("connected_clients:2\r"));
    });
}

TEST_CASE("Redis: 10,000 messages in a burst arrive in order") {
    on_each_loop(
        [](redis_server&, redis_user& u) {
            message_recorder one(u.client.subscribe("c"));
            REQUIRE(u.turn_until([&] { return one.has("(gap)"); }));
            redis::batch b;
            for (int i = 0; i < 10'000; ++i) b.add("PUBLISH", "c", i);
            u.value(u.client.run(std::move(b)));
            REQUIRE(u.turn_until([&] { return one.has("c 9999"); }));
            REQUIRE(one.all.size() == 10'001);
            for (int i = 0; i < 10'000; ++i)
                REQUIRE(one.all[static_cast<std::size_t>(i) + 1] == "c " + std::to_string(i));
        },
        {.messages = 10'000});
}

TEST_CASE("Redis: a subscription that is not read loses the oldest messages and has a gap") {
    redis_server server;
    redis_user u(server.url(), "epoll", {.messages = 4});
    auto s = u.client.subscribe("c");
    CHECK(u.value(s.next())->gap);
    for (int i = 0; i < 20; ++i) u.value(u.client.publish("c", std::to_string(i)));
    u.value(u.client.command<>("PING"));
    for (int i = 0; i < 5; ++i) u.at.loop->turn(2);
    CHECK(u.value(s.next())->gap);
    CHECK(u.value(s.next())->payload == "16");
}

TEST_CASE("Redis: subscriptions across a kill of the server, a cut network and a reset") {
    for (const char* backend : {"epoll", "uring"})
        for (const int how : {0, 1, 2}) {
            redis_server server;
            tcp_proxy proxy(server.path());
            redis_user u("redis://127.0.0.1:" + std::to_string(proxy.port()), backend,
                         {.command_timeout = milliseconds(300), .connect_timeout = milliseconds(200)});
            const redis::client direct(server.url());
            message_recorder one(u.client.subscribe("a")), other(u.client.psubscribe("a*"));
            REQUIRE(u.turn_until([&] { return one.has("(gap)") && other.has("(gap)"); }));
            u.value(direct.publish("a", "1"));
            REQUIRE(u.turn_until([&] { return one.has("a 1") && other.has("a 1"); }));
            if (how == 0) server.kill();
            else proxy.set(how == 1 ? tcp_proxy::mode::silent : tcp_proxy::mode::reset);
            for (int i = 0; i < 40; ++i) u.at.loop->turn(20);
            if (how == 0) server.start();
            else proxy.set(tcp_proxy::mode::forward);
            REQUIRE(u.turn_until([&] { return one.all.size() == 3 && other.all.size() == 3; }));
            u.value(direct.publish("a", "2"));
            REQUIRE(u.turn_until([&] { return one.has("a 2") && other.has("a 2"); }));
            CHECK(one.all == list{"(gap)", "a 1", "(gap)", "a 2"});
            CHECK(other.all == one.all);
        }
}

TEST_CASE("Redis: a refused channel fails only its own subscription") {
    redis_server server({"--user", "default", "on", "nopass", "~*", "+@all", "resetchannels", "&open*"});
    redis_user u(server.url());
    message_recorder refused(u.client.subscribe("closed")), open(u.client.subscribe("open"));
    REQUIRE(u.turn_until([&] { return refused.has("(end)") && open.has("(gap)"); }));
    CHECK(refused.all == list{"! 500", "(end)"});
    auto again = u.client.subscribe("closed");
    CHECK(u.failure(again.next()).starts_with("500 NOPERM"));
    CHECK(u.failure(again.next()).starts_with("500 NOPERM"));
    u.value(u.client.publish("open", "x"));
    REQUIRE(u.turn_until([&] { return open.has("open x"); }));
}

TEST_CASE("Redis: listeners leave and join, and a connection without listeners is closed") {
    redis_server server;
    redis_user u(server.url(), "epoll", {.connect_timeout = milliseconds(100)});
    const auto clients = [&] { return u.value(u.client.command<std::string>("INFO", "clients")); };
    auto one = std::make_unique<message_recorder>(u.client.subscribe("c"));
    REQUIRE(u.turn_until([&] { return one->has("(gap)"); }));
    for (int i = 0; i < 20; ++i) {
        one.reset();
        if (i % 2) u.at.loop->turn(0);
        one = std::make_unique<message_recorder>(u.client.subscribe("c"));
        if (i % 3) continue;
        REQUIRE(u.turn_until([&] { return one->has("(gap)"); }));
        u.value(u.client.publish("c", std::to_string(i)));
        REQUIRE(u.turn_until([&] { return one->has("c " + std::to_string(i)); }));
    }
    CHECK(clients().contains("connected_clients:2\r"));
    one.reset();
    CHECK(u.turn_until([&] { return clients().contains("connected_clients:1\r"); }));
}

TEST_CASE("Redis: an unreachable server, and invalid replies to subscribers: an error in time") {
    for (const char* says :
         {"+OK\r\n", ":1\r\n", ">3\r\n+subscribe\r\n+other\r\n:1\r\n", ">1\r\n+message\r\n", ">2\r\n+message\r\n+c\r\n",
          ">1\r\n+subscribe\r\n", ">1\r\n:5\r\n", "*1\r\n", ">3\r\n+message\r\n:1\r\n:2\r\n", "garbage\r\n", ""}) {
        CAPTURE(says);
        const scripted_redis server({.says = {redis_hello, says}});
        redis_user u(server.url(), "epoll", {.connect_timeout = milliseconds(100)});
        auto s = u.client.subscribe("c");
        CHECK(u.failure(s.next()).starts_with("503 "));
    }
    redis_user u("unix:/nowhere/redis.sock", "epoll", {.connect_timeout = milliseconds(100)});
    auto s = u.client.subscribe("c");
    CHECK(u.failure(s.next()) == "503 No such file or directory");
}
