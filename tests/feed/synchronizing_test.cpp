// SPDX-License-Identifier: Apache-2.0
#include "feed/readers.hpp"
#include "feed/scripted_broker.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

using namespace apus;
using test::core;
using test::reading;
using test::running_task;
using test::scripted_broker;
using test::turn_until;

namespace {

/// Readers of rooms `NODE:0` to `NODE:COUNT-1`.
struct readers {
    readers(const feed& of, const std::string& node, int count) {
        for (int i = 0; i < count; ++i) all.push_back(std::make_unique<reading>(of, node + ":" + std::to_string(i)));
    }
    bool begun() const {
        return std::ranges::all_of(all, [](const auto& each) { return each->begun; });
    }
    bool have_seen(const std::string& seen) const {
        return std::ranges::all_of(all, [&](const auto& each) { return each->seen == seen; });
    }
    std::vector<std::unique_ptr<reading>> all;
};

}  // namespace

TEST_CASE("feed: a node that fails or does not respond delays no room of other nodes") {
    for (const char* backend : {"epoll", "uring"})
        for (const bool silent : {false, true}) {
            CAPTURE(silent);
            core c(backend);
            scripted_broker broker;
            const feed news({}, broker);
            running_task<void> running(news.run());
            broker.send_gap();
            const readers first(news, "1", 50), other(news, "2", 50);
            REQUIRE(turn_until(c, [&] { return first.begun() && other.begun(); }));

            (silent ? broker.silent : broker.failing).insert("2");
            for (int i = 0; i < 50; ++i) {
                broker.store("1:" + std::to_string(i), "missed");
                broker.store("2:" + std::to_string(i), "missed");
            }
            broker.send_gap();
            CHECK(turn_until(c, [&] { return first.have_seen(" missed"); }));
            const reading another_of_2(news, "2:new"), another_of_1(news, "1:new");
            CHECK(turn_until(c, [&] { return another_of_1.begun; }));
            running_task<std::string> lost(news.publish("2:0", "lost"));
            running_task<std::string> sent(news.publish("1:0", "sent"));
            REQUIRE(turn_until(c, [&] { return sent.ended(); }));
            CHECK_FALSE(sent.wait()->empty());
            CHECK(turn_until(c, [&] { return first.all[0]->seen == " missed sent"; }));
            CHECK(lost.ended() != silent);

            if (silent) continue;
            broker.failing.clear();
            CHECK(turn_until(c, [&] {
                return std::ranges::all_of(other.all, [](const auto& each) { return each->seen.ends_with(" missed"); });
            }));
            CHECK(turn_until(c, [&] { return another_of_2.begun; }));
        }
}

TEST_CASE("feed: events that a node has stored but not sent arrive after its outage") {
    for (const std::string known_as : {"", "1"}) {  // the core that publishes may know another node for the room
        CAPTURE(known_as);
        core c;
        scripted_broker broker;
        const feed news({}, broker);
        running_task<void> running(news.run());
        broker.send_gap();
        const readers there(news, "2", 100);
        REQUIRE(turn_until(c, [&] { return there.begun(); }));
        for (int i = 1; i < 100; ++i) broker.store("2:" + std::to_string(i), "x");
        broker.failing = {"2"};
        broker.outdated = known_as;
        running_task<std::string> lost(news.publish("2:0", "x"));
        broker.outdated.clear();
        REQUIRE(turn_until(c, [&] { return lost.ended(); }));
        broker.failing.clear();
        CHECK(turn_until(c, [&] { return there.have_seen(" x"); }));
    }
}

TEST_CASE("feed: rooms that miss events are read in turn") {
    core c;
    scripted_broker broker;
    const feed news({.room_events = 10'000}, broker);
    running_task<void> running(news.run());
    broker.send_gap();
    const readers calm(news, "1", 200);
    const reading busy(news, "1:busy");
    const readers later(news, "1", 200);
    REQUIRE(turn_until(c, [&] { return calm.begun() && busy.begun && later.begun(); }));
    for (int i = 0; i < 2'000; ++i) broker.store("1:busy", "x");
    for (int i = 0; i < 200; ++i) broker.store("1:" + std::to_string(i), "missed");
    broker.send_gap();
    CHECK(turn_until(c, [&] { return calm.have_seen(" missed") && later.have_seen(" missed"); }));
    CHECK(busy.seen.size() < 2'000);
    CHECK(turn_until(c, [&] { return busy.seen.size() == 4'000; }));
}

TEST_CASE("feed: pages grow again after a reply that was too large") {
    core c;
    scripted_broker broker;
    broker.largest = 100'000;
    const feed news({.room_events = 10'000, .room_bytes = 10'000'000}, broker);
    running_task<void> running(news.run());
    broker.send_gap();
    const reading here(news, "1:a");
    REQUIRE(turn_until(c, [&] { return here.begun; }));
    for (int i = 0; i < 20; ++i) broker.store("1:a", std::string(15'000, 'x'));
    for (int i = 0; i < 2'000; ++i) broker.store("1:a", "y");
    broker.send_gap();
    CHECK(turn_until(c, [&] { return std::ranges::count(here.seen, 'y') == 2'000; }));
    CHECK(here.seen.size() == 20 * 15'001 + 2'000 * 2);
    CHECK(broker.counts.size() < 200);
}

TEST_CASE("feed: false messages hide no events") {
    struct row {
        const char* name;
        std::uint64_t later;  // milliseconds after the last event
        const char* seen;     // begins with these events
    };
    const row rows[] = {{"far", 10'000'000'000'000, " 0 1 2"}, {"day", 86'400'000, " 0 1 2"}, {"near", 9, " 0 false"}};
    for (const bool first : {false, true})
        for (const auto& [name, later, seen] : rows) {
            CAPTURE(name);
            CAPTURE(first);
            core c;
            scripted_broker broker;
            const feed news({}, broker);
            running_task<void> running(news.run());
            broker.send_gap();
            const reading here(news, "1:a");
            REQUIRE(turn_until(c, [&] { return here.begun; }));
            broker.send(broker.store("1:a", "0"));
            REQUIRE(turn_until(c, [&] { return here.seen == " 0"; }));
            broker.send({.room = "1:a",
                         .event = {.id = std::to_string(broker.time + later) + "-0", .name = {}, .data = "false"},
                         .token = {},
                         .previous = first ? std::string() : here.last_id,
                         .first = first});
            for (const char* data : {"1", "2"}) broker.send(broker.store("1:a", data));
            CHECK(turn_until(c, [&] { return here.seen.ends_with(" 1 2"); }));
            if (!first) CHECK(here.seen.starts_with(seen));
            broker.send(broker.store("1:a", "3"));
            CHECK(turn_until(c, [&] { return here.seen.ends_with(" 1 2 3"); }));
        }
}

TEST_CASE("feed: false messages cost few calls, one at a time") {
    core c;
    scripted_broker broker;
    const feed news({}, broker);
    running_task<void> running(news.run());
    broker.send_gap();
    const reading here(news, "1:a");
    REQUIRE(turn_until(c, [&] { return here.begun; }));
    broker.send(broker.store("1:a", "0"));
    REQUIRE(turn_until(c, [&] { return here.seen == " 0"; }));
    const int before = broker.reads["1:a"];
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 5'000; ++i) {
        const std::string id = std::to_string(99'999'999'999'999 + i) + "-0";
        broker.send({.room = "1:a", .event = {.id = id, .name = {}, .data = "x"}, .token = {}, .previous = id});
        if (i % 50 == 0) c.loop->turn(1);
    }
    broker.send(broker.store("1:a", "1"));
    CHECK(turn_until(c, [&] { return here.seen == " 0 1"; }));
    const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
    CHECK(broker.reads["1:a"] - before <= 5 + passed.count() / 20);
    CHECK(broker.most_in_flight["1:a"] == 1);
}

TEST_CASE("feed: messages that arrive twice, in another order or not at all leave no trace") {
    core c;
    scripted_broker broker;
    const feed news({}, broker);
    running_task<void> running(news.run());
    broker.send_gap();
    const reading here(news, "1:a");
    REQUIRE(turn_until(c, [&] { return here.begun; }));
    std::string expected;
    std::vector<feed_broker::received> sent;
    for (int i = 0; i < 200; ++i) {
        sent.push_back(broker.store("1:a", std::to_string(i)));
        expected += " " + std::to_string(i);
        if (i % 10 != 9) continue;
        std::ranges::reverse(sent.begin() + i / 10 % 7, sent.end());
        for (const auto& each : sent)
            if (each.event.data.back() != '5') broker.send(each);
        broker.send(sent.front());
        auto cut = sent.back();
        cut.event.id.pop_back();
        broker.send(cut);
        cut.event.id = sent.back().event.id;
        cut.previous = "1-";
        broker.send(cut);
        sent.clear();
        for (int turn = 0; turn < i % 3; ++turn) c.loop->turn(1);
    }
    CHECK(turn_until(c, [&] { return here.seen.size() >= expected.size(); }));
    CHECK(here.seen == expected);
}

TEST_CASE("feed: the clock of the broker may differ from that of the process") {
    constexpr std::uint64_t past = 1'000'000'000'000, future = 9'000'000'000'000;
    for (const std::uint64_t clock : {past, future})
        for (const bool expires : {false, true}) {
            CAPTURE(clock);
            CAPTURE(expires);
            core c;
            scripted_broker broker;
            broker.time = clock;
            const feed news({.keep = expires ? milliseconds(50) : seconds(3'600)}, broker);
            running_task<void> running(news.run());
            broker.send_gap();
            const reading here(news, "1:a");
            REQUIRE(turn_until(c, [&] { return here.begun; }));
            broker.send(broker.store("1:a", "0"));
            REQUIRE(turn_until(c, [&] { return here.seen == " 0"; }));
            const auto heard = std::chrono::steady_clock::now();
            REQUIRE(turn_until(c, [&] {
                return !expires || std::chrono::steady_clock::now() - heard > std::chrono::milliseconds(60);
            }));
            broker.stored.clear();  // expired, or lost
            broker.send_gap();
            const int before = broker.reads["1:a"];
            REQUIRE(turn_until(c, [&] { return broker.reads["1:a"] > before; }));
            broker.time += 60;
            broker.send(broker.store("1:a", "1"));
            CHECK(turn_until(c, [&] { return here.seen.ends_with(" 1"); }));
            CHECK(here.seen == (expires ? " 0 1" : " 0| 1"));
        }
}

TEST_CASE("feed: ten thousand rooms get their positions and missed events") {
    constexpr int count = 10'000;
    core c;
    scripted_broker broker;
    const feed news({}, broker);
    running_task<void> running(news.run());
    broker.send_gap();
    const readers all(news, "1", count);
    REQUIRE(turn_until(c, [&] { return all.begun(); }));
    for (int i = 0; i < count; ++i) broker.store("1:" + std::to_string(i), "missed");
    broker.send_gap();
    for (int i = 0; i < count; ++i) broker.send(broker.store("1:" + std::to_string(i), "new"));
    CHECK(turn_until(c, [&] { return all.have_seen(" missed new"); }));
    CHECK(broker.counts.size() < 3 * count / 64);
}
