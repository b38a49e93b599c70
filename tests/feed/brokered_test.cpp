// SPDX-License-Identifier: Apache-2.0
#include "feed/readers.hpp"

#include "runtime/core_of_test.hpp"

#include <apus/channel.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace apus;
using test::core;
using test::reading;
using test::running_task;

namespace {

/// Stores the events of one room, and can fail as a real broker cannot be made to.
struct faulty_broker final : feed_broker {
    bool publish_fails = false, read_fails = false, stores = true;
    std::vector<received> stored;
    channel<received> messages{1'000};

    void send_gap() {
        received gap;
        gap.event.gap = true;
        CHECK(messages.try_send(gap));
    }

    task<std::string> publish(std::string room, feed_event event, std::string token) override {
        if (stores) {
            event.id = "7-" + std::to_string(stored.size() + 1);
            stored.push_back({std::move(room), std::move(event), std::move(token), stored.empty()});
            if (!publish_fails) CHECK(messages.try_send(stored.back()));
        }
        if (publish_fails) co_await fail(503, "unreachable");
        co_return stored.back().event.id;
    }
    task<std::vector<std::vector<received>>> read(std::vector<feed_position> from, std::size_t) override {
        if (read_fails) co_await fail(503, "unreachable");
        std::vector<std::vector<received>> made(from.size());
        for (std::size_t i = 0; i < from.size(); ++i)
            for (const auto& each : stored)
                if (from[i].after == "0-0" || each.event.id >= from[i].after) made[i].push_back(each);
        co_return made;
    }
    task<std::vector<std::string>> last_ids(std::vector<std::string> rooms) override {
        if (read_fails) co_await fail(503, "unreachable");
        co_return std::vector<std::string>(rooms.size(), stored.empty() ? std::string() : stored.back().event.id);
    }
    task<std::optional<received>> receive() override { return next(messages); }
    static task<std::optional<received>> next(channel<received> from) { co_return co_await from.receive(); }
    void configure(const feed_options&) override {}
};

bool soon(core& c, const std::function<bool()>& done) {
    for (int i = 0; i < 2'000 && !done(); ++i) c.loop->turn(5);
    return done();
}

std::string publish(const feed& in, std::string data) {
    running_task<std::string> t(in.publish("a", std::move(data)));
    return *t.wait();
}

}  // namespace

TEST_CASE("feed: an event whose publication was not confirmed reaches each reader once") {
    core c;
    faulty_broker broker;
    const feed news({}, broker);
    running_task<void> running(news.run());
    broker.send_gap();
    reading here(news, "a");
    REQUIRE(soon(c, [&] { return here.begun; }));
    const auto first = publish(news, "1");
    REQUIRE(soon(c, [&] { return here.seen == " 1"; }));
    broker.publish_fails = true;  // stores the event; the reply is lost
    CHECK(publish(news, "2").empty());
    CHECK(soon(c, [&] { return here.seen == " 1 2"; }));
    broker.stores = false;
    CHECK(publish(news, "3").empty());
    broker.publish_fails = false;
    broker.stores = true;
    broker.send_gap();
    CHECK(soon(c, [&] { return !publish(news, "4").empty(); }));
    CHECK(soon(c, [&] { return here.seen.ends_with(" 4"); }));
    CHECK(here.seen.starts_with(" 1 2 3 4"));
    // A client that reconnects gets what the broker has stored.
    reading again(news, "a", first);
    CHECK(soon(c, [&] { return again.seen.starts_with(" 2 4"); }));
}

TEST_CASE("feed: readers wait for the position of a room only while the broker can be reached") {
    core c;
    faulty_broker broker;
    broker.read_fails = true;
    const feed news({}, broker);
    running_task<void> running(news.run());
    broker.send_gap();
    reading blind(news, "a");
    CHECK(soon(c, [&] { return blind.seen == "|"; }));
    broker.read_fails = false;
    CHECK(soon(c, [&] { return blind.seen == "||"; }));  // events before are missing
    publish(news, "1");
    CHECK(soon(c, [&] { return blind.seen == "|| 1"; }));
}

TEST_CASE("feed: a second `run` fails, and the first one goes on") {
    core c;
    faulty_broker broker;
    const feed news({}, broker);
    running_task<void> first(news.run()), second(news.run());
    CHECK(second.ended());
    CHECK_FALSE(first.ended());
    broker.messages.close();
    CHECK(soon(c, [&] { return first.ended(); }));
    running_task<void> third(news.run());
    CHECK(third.ended());
}
