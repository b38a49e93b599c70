// SPDX-License-Identifier: Apache-2.0
#include "feed/readers.hpp"
#include "feed/scripted_broker.hpp"

#include <doctest/doctest.h>

#include <algorithm>
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
