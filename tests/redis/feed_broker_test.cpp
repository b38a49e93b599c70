// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/feed_broker.hpp>

#include "feed/resumption.hpp"
#include "redis/redis_server.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include <stdlib.h>

using namespace apus;
using namespace apus::test;

namespace {

struct node : feed_node<redis::feed_broker, redis::feed_broker_options> {
    explicit node(const redis_user& u, const feed_options& o = {}, redis::feed_broker_options b = {})
        : feed_node(u.client, o, std::move(b)) {}
};

}  // namespace

TEST_CASE("feed on Redis: readers of all processes get each event once, in one order") {
    on_each_loop([](redis_server&, redis_user& u) {
        node one(u), other(u);
        reading here(one.news, "a"), there(other.news, "a"), elsewhere(other.news, "b");
        REQUIRE(u.turn_until([&] { return here.begun && there.begun && elsewhere.begun; }));
        std::string expected;
        for (int i = 0; i < 100; ++i) {
            const auto id = u.value((i % 2 ? one : other).news.publish("a", std::to_string(i)));
            CHECK_FALSE(id.empty());
            expected += " " + std::to_string(i);
        }
        CHECK(u.turn_until([&] { return here.seen == expected && there.seen == expected; }));
        CHECK(here.last_id == there.last_id);
        CHECK(elsewhere.seen.empty());
    });
}

TEST_CASE("feed on Redis: a client continues at another process, also for events that the process never had") {
    on_each_loop([](redis_server&, redis_user& u) {
        constexpr int events = 700;  // more than two pages
        node one(u);
        std::vector<std::string> ids;
        for (int i = 0; i < events; ++i) ids.push_back(u.value(one.news.publish("a", std::to_string(i))));
        node other(u);
        check_resumption(u, one.news, other.news, ids);
    });
}

TEST_CASE("feed on Redis: the first reader of a process misses no event that is published after it follows") {
    redis_server server;
    redis_user u(server.url());
    for (int round = 0; round < 50; ++round) {
        node one(u), other(u);
        const std::string room = "room " + std::to_string(round);
        reading first(other.news, room);
        REQUIRE(u.turn_until([&] { return first.begun; }));
        for (int i = 0; i < 3; ++i) u.value(one.news.publish(room, std::to_string(i)));
        CHECK(u.turn_until([&] { return first.seen == " 0 1 2"; }));
    }
}

TEST_CASE("feed on Redis: a reader that falls behind reads from Redis, and a trimmed history is a gap") {
    redis_server server;
    redis_user u(server.url());
    node one(u, {.room_events = 10});
    running_task<feed_reader> following(one.news.follow("a"));
    auto reader = std::move(*finished(following));
    const auto first = u.value(one.news.publish("a", "0"));
    for (int i = 1; i < 60; ++i) u.value(one.news.publish("a", std::to_string(i)));  // Redis trims by hundreds
    std::string seen;
    for (int i = 0; i < 60; ++i) {
        const auto got = u.value(reader.next());
        seen += got->gap ? "|" : " " + got->data;
    }
    CHECK(seen == numbers(0, 60));

    CHECK(u.value(u.client.command<long long>("XTRIM", "feed:a", "MAXLEN", 5)) == 55);
    node other(u);
    reading late(other.news, "a", first);
    CHECK(u.turn_until([&] { return late.seen == "|" + numbers(55, 60); }));
    CHECK(u.value(u.client.command<long long>("PTTL", "feed:a")) > 3'000'000);
}

TEST_CASE("feed on Redis: without Redis, events reach this process; afterwards, readers get all events again") {
    redis_server server;
    redis_user u(server.url(), "epoll", {.connect_timeout = milliseconds(100)});
    node one(u), other(u);
    reading here(one.news, "a"), there(other.news, "a");
    REQUIRE(u.turn_until([&] { return here.begun && there.begun; }));
    u.value(one.news.publish("a", "0"));
    REQUIRE(u.turn_until([&] { return there.seen == " 0" && here.seen == " 0"; }));
    const std::string before = here.last_id;
    server.kill();
    CHECK(u.value(one.news.publish("a", "alone")).empty());
    CHECK(u.turn_until([&] { return here.seen == " 0 alone"; }));
    CHECK(here.last_id == before);
    CHECK(there.seen == " 0");
    reading blind(other.news, "new room");
    CHECK(u.turn_until([&] { return blind.begun; }));

    server.start();  // with empty memory: the events before are lost
    CHECK(u.turn_until([&] { return blind.seen.starts_with("|"); }));
    CHECK(u.turn_until([&] { return !u.value(one.news.publish("a", "again")).empty(); }));
    CHECK(u.turn_until([&] { return here.seen.ends_with(" again") && there.seen.ends_with(" again"); }));
    CHECK(here.seen.starts_with(" 0 alone"));
    CHECK(there.seen.starts_with(" 0|"));
}

TEST_CASE("feed on Redis: events that others publish while the connection is lost arrive later") {
    redis_server server;
    redis_user u(server.url());
    node one(u);
    reading here(one.news, "a");
    REQUIRE(u.turn_until([&] { return here.begun; }));
    for (int i = 0; i < 300; ++i) {
        // Redis ends the connections of subscribers at any time.
        if (i % 50 == 25)
            REQUIRE(std::system(("redis-cli -s " + server.path() + " CLIENT KILL TYPE pubsub > /dev/null").c_str()) ==
                    0);
        u.value(one.news.publish("a", std::to_string(i)));
    }
    const bool all = u.turn_until([&] { return here.seen == numbers(0, 300); });
    CAPTURE(here.seen);
    CHECK(all);
}

TEST_CASE("feed on Redis: ids that start again, foreign messages and errors of Redis") {
    redis_server server;
    redis_user u(server.url());
    node one(u);
    reading here(one.news, "a");
    REQUIRE(u.turn_until([&] { return here.begun; }));
    u.value(one.news.publish("a", "0"));
    REQUIRE(u.turn_until([&] { return here.seen == " 0"; }));

    // The stream has expired, and the clock of Redis was set back.
    u.value(u.client.del("feed:a"));
    u.value(u.client.command<std::string>("XADD", "feed:a", "1-1", "d", "x"));
    const auto sized = [](std::string text) {
        return std::string(1, static_cast<char>(text.size())) + std::string(3, '\0') + text;
    };
    for (const std::string& payload :
         {std::string(), std::string("apus-fd1"), std::string("apus-fd2"),
          "apus-fd11" + sized("a") + sized("") + sized("not an id") + sized("") + sized("") + "y",
          "apus-fd11" + sized("a") + sized("") + sized("1-1") + sized("") + sized("") + "x"})
        u.value(u.client.publish("feed", payload));
    CHECK(u.turn_until([&] { return here.seen == " 0| x"; }));

    u.value(u.client.set("feed:wrong", "text"));
    CHECK(u.failure(one.news.publish("wrong", "data")).starts_with("500"));
    u.value(one.news.publish("a", "y"));  // an error of one room is no outage
    CHECK(u.turn_until([&] { return here.seen == " 0| x y"; }));
    CHECK(u.failure(one.news.run()).starts_with("500"));
    CHECK_THROWS_AS(redis::feed_broker(u.client, {.channel = ""}), std::invalid_argument);
}

TEST_CASE("feed on Redis: the name of a room may be long and contain any bytes") {
    on_each_loop([](redis_server&, redis_user& u) {
        node one(u), other(u);
        std::string name(1'000'000, 'n');
        for (int byte = 0; byte < 256; ++byte) name += static_cast<char>(byte);
        reading here(other.news, name);
        REQUIRE(u.turn_until([&] { return here.begun; }));
        const auto first = u.value(one.news.publish(name, "0"));
        u.value(one.news.publish(name, "1"));
        CHECK(u.turn_until([&] { return here.seen == " 0 1"; }));
        reading again(one.news, name, first);
        CHECK(u.turn_until([&] { return again.seen == " 1"; }));
    });
}

TEST_CASE("feed on Redis: a client that may only publish hides no event") {
    on_each_loop([](redis_server&, redis_user& u) {
        node one(u);
        reading here(one.news, "a");
        REQUIRE(u.turn_until([&] { return here.begun; }));
        u.value(one.news.publish("a", "0"));
        REQUIRE(u.turn_until([&] { return here.seen == " 0"; }));
        const auto sized = [](std::string text) {
            return std::string(1, static_cast<char>(text.size())) + std::string(3, '\0') + text;
        };
        const std::string huge = "18446744073709551615-18446744073709551615";
        for (const std::string& previous : {std::string(), here.last_id, huge})
            for (const char* first : {"0", "1"})
                for (const std::string& id : {huge, std::string("1-1")})
                    u.value(u.client.publish("feed", std::string("apus-fd1") + first + sized("a") + sized(previous) +
                                                         sized(id) + sized("token") + sized("") + "false"));
        for (int i = 1; i < 20; ++i) u.value(one.news.publish("a", std::to_string(i)));
        CHECK(u.turn_until([&] { return here.seen == numbers(0, 20); }));
    });
}
