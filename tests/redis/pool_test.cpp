// SPDX-License-Identifier: Apache-2.0
#include "redis/pool.hpp"

#include "redis/redis_server.hpp"
#include "redis/scripted_redis.hpp"
#include "support/tcp_proxy.hpp"

#include <atomic>
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace apus;
using namespace apus::test;
using support::tcp_proxy;

namespace {

using command = running_task<long long>;

std::string through(const tcp_proxy& p) { return "redis://127.0.0.1:" + std::to_string(p.port()); }

}  // namespace

TEST_CASE("a Redis that is killed under load and restarted serves again within a second") {
    on_each_loop(
        [](redis_server& server, redis_user& u) {
            // On a loaded machine, the start of the server alone may take a second, so one of several tries counts.
            auto shortest = std::chrono::steady_clock::duration::max();
            for (int tries = 0; tries < 5 && shortest >= std::chrono::seconds(1); ++tries) {
                u.value(u.client.incr("n"));
                std::vector<std::unique_ptr<command>> all;
                for (int i = 0; i < 100; ++i) all.push_back(std::make_unique<command>(u.client.incr("n")));
                server.kill();
                for (int i = 0; i < 100; ++i) all.push_back(std::make_unique<command>(u.client.incr("n")));
                for (const auto& one : all) {
                    const auto& got = finished(*one);
                    if (!got) CHECK(got.error().status() == 503);
                }
                server.start();
                const auto began = std::chrono::steady_clock::now();
                CHECK(u.value(u.client.incr("n")) == 1);
                shortest = std::min(shortest, std::chrono::steady_clock::now() - began);
            }
            CHECK(shortest < std::chrono::seconds(1));
        },
        {.connect_timeout = milliseconds(300)});
}

TEST_CASE("commands wait for a Redis that restarts, and commands in flight that only read are repeated") {
    redis_server server;
    redis_user u(server.url());
    u.value(u.client.set("k", 1));
    server.kill();
    running_task read(u.client.get<int>("k"));
    running_task write(u.client.incr("k"));
    u.at.loop->turn(50);
    server.start();
    CHECK(*finished(read) == std::nullopt);
    const auto& got = finished(write);  // sent before the loss was noticed, or afterwards
    CHECK((got ? *got == 1 : got.error().status() == 503));
    const scripted_redis closing({.says = {redis_hello}, .closes = true});
    const redis::client other(closing.url(), {.connect_timeout = milliseconds(300)});
    CHECK(u.failure(other.get("k")).starts_with("503 "));
    CHECK(closing.accepted() >= 2);
}

TEST_CASE("a network that is cut silently or reset: no command waits beyond its deadline, and all works afterwards") {
    for (const char* backend : {"epoll", "uring"})
        for (const auto how : {tcp_proxy::mode::silent, tcp_proxy::mode::reset}) {
            redis_server server;
            tcp_proxy proxy(server.path());
            redis_user u(through(proxy), backend,
                         {.command_timeout = milliseconds(300), .connect_timeout = milliseconds(300)});
            CHECK(u.value(u.client.incr("n")) == 1);
            proxy.set(how);
            const auto began = std::chrono::steady_clock::now();
            for (int i = 0; i < 3; ++i) CHECK(u.failure(u.client.incr("n")).starts_with("50"));
            CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(3));
            proxy.set(tcp_proxy::mode::forward);
            CHECK(u.turn_until([&] { return u.run(u.client.get("other")).has_value(); }));
        }
}

TEST_CASE("destroyed tasks: their replies are ignored, and the connection remains usable") {
    on_each_loop([](redis_server&, redis_user& u) {
        u.value(u.client.set("k", "v"));
        for (int i = 0; i < 50; ++i) {
            const command gone(u.client.incr("n"));
            if (i % 3 == 0) u.at.loop->turn(0);
        }
        CHECK(u.value(u.client.get("k")) == "v");
        CHECK(u.value(u.client.get<int>("n")) == 50);
        CHECK(u.value(u.client.command<std::string>("INFO", "clients")).contains("connected_clients:1\r"));
    });
    // A command may also be destroyed before its connection is established.
    redis_server server;
    redis_user u(server.url());
    { const command gone(u.client.incr("n")); }
    CHECK(u.value(u.client.incr("n")) == 1);
}

TEST_CASE("too many commands wait for Redis: 503 with Retry-After") {
    const scripted_redis silent({.says = {redis_hello}});
    redis_user u(silent.url(), "epoll", {.command_timeout = milliseconds(100), .queue = 3});
    std::vector<std::unique_ptr<command>> all;
    for (int i = 0; i < 3; ++i) all.push_back(std::make_unique<command>(u.client.incr("n")));
    CHECK(u.failure(u.client.incr("n")).starts_with("503 over redis::client_options::queue"));
    // The deadline of the first command ends the connection, since no bytes were received.
    for (const auto& one : all) CHECK(finished(*one).error().status() == (one == all.front() ? 504 : 503));
    CHECK(u.failure(u.client.incr("n")).starts_with("50"));
}

TEST_CASE("an unreachable Redis: 503 with the reason after the connect timeout") {
    redis_user u("unix:/nowhere/redis.sock", "epoll", {.connect_timeout = milliseconds(100)});
    CHECK(u.failure(u.client.incr("n")) == "503 No such file or directory");
    const redis::client named("redis://no-such-host.invalid", {.connect_timeout = milliseconds(100)});
    CHECK(u.failure(named.incr("n")).starts_with("503 "));
}

TEST_CASE("commands of several megabytes, and replies") {
    on_each_loop([](redis_server&, redis_user& u) {
        const std::string large(8 << 20, 'x');
        std::vector<std::unique_ptr<running_task<bool>>> all;
        for (int i = 0; i < 8; ++i)
            all.push_back(std::make_unique<running_task<bool>>(u.client.set("large" + std::to_string(i), large)));
        for (const auto& one : all) CHECK(*finished(*one));
        for (int i = 0; i < 8; ++i) CHECK(u.value(u.client.get("large" + std::to_string(i))) == large);
    });
}

TEST_CASE("the last copy of a client closes its connections") {
    redis_server server;
    redis_user u(server.url());
    const auto clients = [&] { return u.value(u.client.command<std::string>("INFO", "clients")); };
    {
        const redis::client other(server.url());
        u.value(other.incr("n"));
        const auto reserved = u.value(other.reserve());
        CHECK(clients().contains("connected_clients:3\r"));
        const command gone(other.incr("n"));
    }
    CHECK(u.turn_until([&] { return clients().contains("connected_clients:1\r"); }));
    auto temporary = redis::client(server.url()).incr("n");  // the task keeps the client
    CHECK(u.value(std::move(temporary)) >= 2);
}

TEST_CASE("a core that stops fails commands that wait, and clients may outlive it") {
    const scripted_redis silent({.says = {redis_hello}});
    auto u = std::make_unique<redis_user>(silent.url());
    const redis::client copy = u->client;
    auto reserved = u->value(copy.reserve());
    auto waiting = std::make_unique<command>(copy.incr("n"));
    auto bound = std::make_unique<command>(reserved.incr("n"));
    u->at.loop->turn(20);
    u->at.loop->settle();
    CHECK(redis_user::failure(finished(*waiting)).starts_with("503 "));
    CHECK(redis_user::failure(finished(*bound)).starts_with("503 "));
    waiting.reset();
    bound.reset();
    u.reset();
}

TEST_CASE("a connection without replies is replaced although its calls were abandoned before their deadlines") {
    scripted_redis server({.says = {redis_hello}});
    redis_user u(server.url(), "epoll", {.command_timeout = milliseconds(30)});
    CHECK(u.turn_until([&] {
        running_task<void> abandoned(u.client.command<>("PING"));
        u.at.loop->turn(5);
        return server.accepted() == 2;
    }));
}
