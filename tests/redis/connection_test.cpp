// SPDX-License-Identifier: Apache-2.0
#include "redis/connection.hpp"

#include "redis/call.hpp"
#include "redis/connector.hpp"
#include "redis/redis_server.hpp"
#include "redis/scripted_redis.hpp"

#include <chrono>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;

namespace {

const redis::client_options hurried{.command_timeout = milliseconds(150), .connect_timeout = milliseconds(150)};

/// Sends SET to a scripted server. Returns the reply, or "STATUS cause". Checks that this takes less than 3 s.
std::string asked(const scripted_redis::options& o, const char* backend, const redis::client_options& how = hurried,
                  const std::string& path = {}) {
    const scripted_redis server(o);
    redis_user u(server.url() + path, backend, how);
    const auto began = std::chrono::steady_clock::now();
    const auto got = u.run(u.client.command<std::string>("SET", "key", "value"));
    // The limit allows for a busy machine.
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(3));
    return got ? *got : redis_user::failure(got);
}

const std::string greeting = "%1\r\n+proto\r\n:3\r\n";

}  // namespace

TEST_CASE("a Redis that responds correctly, also byte by byte") {
    const redis::client_options patient{.command_timeout = seconds(5), .connect_timeout = seconds(5)};
    for (const char* backend : {"epoll", "uring"})
        for (const std::size_t piece : {0UL, 1UL, 5UL}) {
            CHECK(asked({.says = {greeting, "$5\r\nhello\r\n"}, .piece = piece}, backend, patient) == "hello");
            CHECK(asked({.says = {greeting, "+OK\r\n", ">2\r\n+invalidate\r\n_\r\n+second\r\n"}, .piece = piece},
                        backend, patient, "?db=3") == "second");
        }
}

TEST_CASE("a Redis that is silent, closes, or sends part of a reply: an error in time") {
    const std::string reply = "*2\r\n$5\r\nhello\r\n:1\r\n";
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        CHECK(asked({}, backend).starts_with("503 timeout"));
        CHECK(asked({.says = {greeting}}, backend).starts_with("504 "));
        CHECK(asked({.says = {greeting, reply.substr(0, 9)}}, backend).starts_with("504 "));
        for (std::size_t cut = 0; cut < greeting.size(); cut += 3)
            CHECK(asked({.says = {greeting.substr(0, cut)}, .closes = true}, backend).starts_with("503 "));
        for (std::size_t cut = 0; cut < reply.size(); cut += 3)
            CHECK(asked({.says = {greeting, reply.substr(0, cut)}, .closes = true}, backend)
                      .starts_with("503 Redis has closed the connection; the command may have been executed: SET"));
    }
}

TEST_CASE("a Redis that rejects the user: an error without the password") {
    const auto got = asked({.says = {"-WRONGPASS invalid username-password pair\r\n"}}, "epoll", hurried);
    CHECK(got == "503 WRONGPASS (text hidden, an argument is a secret); command: HELLO or SELECT");
    CHECK(asked({.says = {greeting, "-ERR DB index is out of range\r\n"}}, "epoll", hurried, "?db=99")
              .starts_with("503 ERR"));
}

TEST_CASE("a Redis that sends garbage: an error in time, and no crash") {
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        for (const char* says : {"garbage\r\n", "HTTP/1.1 400 Bad Request\r\n", "*-5\r\n", "$99999999999\r\n",
                                 "$5\r\nhelloXY", "*1000000000\r\n", ":1x\r\n", "%-1\r\n", ">0\r\n"}) {
            CAPTURE(says);
            CHECK(asked({.says = {greeting, says}}, backend).starts_with("50"));
            CHECK(asked({.says = {says}}, backend).starts_with("503 "));
        }
        std::string deep;
        for (int i = 0; i < 100'000; ++i) deep += "*1\r\n";
        CHECK(asked({.says = {greeting, deep}}, backend).starts_with("503 a reply from Redis is nested too deep"));
        CHECK(asked({.says = {greeting, "+one\r\n+two\r\n"}}, backend) ==
              "one");  // the unexpected second reply ends the connection
    }
}

TEST_CASE("a reply over the limit fails its command with 500") {
    redis::client_options small = hurried;
    small.reply_size = 1'000;
    for (const char* backend : {"epoll", "uring"}) {
        CHECK(asked({.says = {greeting, "$2000\r\n"}}, backend, small)
                  .starts_with("500 over redis::client_options::reply_size"));
        CHECK(asked({.says = {greeting, "*500\r\n"}}, backend, small)
                  .starts_with("500 over redis::client_options::reply_size"));
    }
}

TEST_CASE("100 concurrent commands are sent in one piece") {
    for (const char* backend : {"epoll", "uring"}) {
        std::vector<std::string> says{greeting};
        for (int i = 0; i < 101; ++i) says.push_back(":" + std::to_string(i) + "\r\n");
        const scripted_redis server({.says = says});
        redis_user u(server.url(), backend);
        CHECK(u.value(u.client.incr("first")) == 0);
        const unsigned before = server.reads();
        std::vector<std::unique_ptr<running_task<long long>>> all;
        for (int i = 0; i < 100; ++i) all.push_back(std::make_unique<running_task<long long>>(u.client.incr("n")));
        for (int i = 0; i < 100; ++i) CHECK(*finished(*all[static_cast<std::size_t>(i)]) == i + 1);
        CHECK(server.reads() == before + 1);
        CHECK(server.accepted() == 1);
    }
}
