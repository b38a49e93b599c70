// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/hub_relay.hpp>

#include "redis/hub_message.hpp"
#include "redis/redis_server.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;

namespace {

// Receives from a channel as another process would.
struct other_process {
    std::vector<std::string> seen;
    bool subscribed = false;

    task<> receive(redis::client db, std::string channel) {
        auto messages = db.subscribe(channel);
        while (auto one = co_await messages.next()) {
            subscribed = true;
            if (const auto read = redis::read_hub_message(one->payload))
                seen.push_back(std::string(read->room) + ": " + std::string(read->message.bytes));
        }
    }
};

}  // namespace

TEST_CASE("rooms on Redis: messages of this process are published in order, once") {
    on_each_loop([](redis_server& server, redis_user& u) {
        redis::hub_relay relay(u.client, {.channel = "c"});
        hub rooms({}, relay);
        other_process other;
        running_task<void> receiving(other.receive(u.client, "c"));
        REQUIRE(u.turn_until([&] { return other.subscribed; }));
        running_task<void> running(relay.run(rooms));
        std::vector<std::string> expected;
        for (int i = 0; i < 300; ++i) {
            rooms.send("a", std::to_string(i));
            expected.push_back("a: " + std::to_string(i));
        }
        REQUIRE(u.turn_until([&] { return other.seen.size() == 300; }));
        CHECK(other.seen == expected);
        // After an outage, new messages are published. Messages sent during the outage may be lost, but no message is
        // delivered twice.
        server.kill();
        for (int i = 0; i < 10; ++i) {
            rooms.send("a", "late " + std::to_string(i));
            u.at.loop->turn(1);
        }
        other.seen.clear();
        server.start();
        CHECK(u.turn_until([&] {
            rooms.send("a", "again");
            return std::ranges::count(other.seen, "a: again") != 0;
        }));
        const std::set<std::string> different(other.seen.begin(), other.seen.end());
        CHECK(different.size() + static_cast<std::size_t>(std::ranges::count(other.seen, "a: again")) ==
              other.seen.size() + 1);
    });
}

TEST_CASE("rooms on Redis: invalid messages of other processes are ignored") {
    redis_server server;
    redis_user u(server.url());
    redis::hub_relay relay(u.client);
    hub rooms({}, relay);
    running_task<void> running(relay.run(rooms));
    bool subscribed = false;
    REQUIRE(u.turn_until([&] { return subscribed = subscribed || u.value(u.client.publish("rooms", "hello")) == 1; }));
    for (const char* payload : {"", "apus-rm1", "apus-rm2nnnnnnnnnnnnnnnnt"})
        u.value(u.client.publish("rooms", payload));
    u.at.loop->turn(5);
    CHECK_FALSE(running.ended());
}

TEST_CASE("rooms on Redis: the queue is limited, and `run` is called once") {
    redis_user u("unix:/nowhere/redis.sock", "epoll", {.connect_timeout = milliseconds(20)});
    redis::hub_relay relay(u.client, {.queue = 2});
    hub rooms({}, relay);
    for (int i = 0; i < 10'000; ++i) rooms.send("a", std::string(1'000, 'x'));
    running_task<void> first(relay.run(rooms));
    CHECK(u.failure(relay.run(rooms)).starts_with("500"));
    CHECK_FALSE(first.ended());
    CHECK_THROWS_AS(redis::hub_relay(u.client, {.channel = ""}), std::invalid_argument);
}
