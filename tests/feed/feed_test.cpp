// SPDX-License-Identifier: Apache-2.0
#include "feed/readers.hpp"

#include "runtime/core_of_test.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace apus;
using namespace std::string_literals;
using test::core;
using test::reading;
using test::running_task;

namespace {

void turn_some(core& c) {
    for (int i = 0; i < 5; ++i) c.loop->turn(0);
}

std::string publish(const feed& in, std::string room, std::string data) {
    running_task<std::string> t(in.publish(std::move(room), std::move(data)));
    return *t.wait();
}

}  // namespace

TEST_CASE("feed: readers get the events of their room, once and in order") {
    for (const char* backend : {"epoll", "uring"}) {
        core c(backend);
        feed news;
        publish(news, "a", "before");
        reading first(news, "a"), other(news, "b");
        turn_some(c);
        for (int i = 0; i < 5; ++i) publish(news, "a", std::to_string(i));
        publish(news, "b", "x");
        turn_some(c);
        CHECK(first.seen == " 0 1 2 3 4");
        CHECK(other.seen == " x");
    }
}

TEST_CASE("feed: a reader continues after the event that its client got last") {
    core c;
    feed news({.room_events = 4});
    std::vector<std::string> ids;
    for (int i = 0; i < 6; ++i) ids.push_back(publish(news, "a", std::to_string(i)));
    const std::string of_other = publish(news, "b", "x");
    const struct {
        std::string id;
        const char* seen;
    } cases[] = {
        {ids[5], ""},
        {ids[3], " 4 5"},
        {ids[1], " 2 3 4 5"},
        {ids[0], "| 2 3 4 5"},  // event 1 is no longer stored
        {std::string(feed::from_start), " 2 3 4 5"},
        {of_other, "| 2 3 4 5"},
        {"nonsense", "| 2 3 4 5"},
        {"1-1", "| 2 3 4 5"},  // an earlier process
        {"18446744073709551615-18446744073709551615", "| 2 3 4 5"},
        {std::string(100'000, '9') + "-1", "| 2 3 4 5"},
    };
    for (const auto& each : cases) {
        CAPTURE(each.id.substr(0, 60));
        reading again(news, "a", each.id);
        turn_some(c);
        CHECK(again.seen == each.seen);
    }
    for (const auto& each : cases) {
        reading again(news, "a", each.id);
        turn_some(c);
        publish(news, "a", "new");
        turn_some(c);
        CHECK(again.seen.ends_with(" new"));
    }
    reading never_stored(news, "empty", ids[0]);
    turn_some(c);
    CHECK(never_stored.seen == "|");
}

TEST_CASE("feed: a reader that is too slow gets a gap, and needs no memory") {
    core c;
    feed news({.room_events = 3});
    running_task<feed_reader> following(news.follow("a"));
    auto reader = std::move(*following.wait());
    for (int i = 0; i < 1'000; ++i) publish(news, "a", std::to_string(i));
    std::string seen;
    for (int i = 0; i < 4; ++i) {
        running_task<feed_message> next(reader.next());
        const auto& got = *next.wait();
        seen += got->gap ? "|" : " " + got->data;
    }
    CHECK(seen == "| 997 998 999");
}

TEST_CASE("feed: memory is limited in each room and in all") {
    core c;
    feed small({.room_bytes = 2'000, .total_bytes = 20'000});
    const auto first = publish(small, "room 0", std::string(900, 'x'));
    publish(small, "room 0", "y");
    for (int i = 1; i < 500; ++i) publish(small, "room " + std::to_string(i), std::string(900, 'x'));
    reading oldest(small, "room 0", first), newest(small, "room 499", std::string(feed::from_start));
    turn_some(c);
    CHECK(oldest.seen == "|");
    CHECK(newest.seen == " " + std::string(900, 'x'));
    running_task<std::string> too_large(small.publish("a", std::string(2'000, 'x')));
    const auto& refused = too_large.wait();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().status() == 413);
    for (const auto& wrong : {feed_options{.room_events = 0}, feed_options{.room_bytes = 1'023},
                              feed_options{.keep = {}}, feed_options{.keep = seconds(-1)}})
        CHECK_THROWS_AS(feed{wrong}, std::invalid_argument);
}

TEST_CASE("feed: clients that open many rooms remove no events of other rooms") {
    core c;
    feed small({.room_events = 5, .total_bytes = 20'000});
    for (int i = 0; i < 5; ++i) publish(small, "kept", std::to_string(i));
    std::vector<std::unique_ptr<reading>> open;
    const auto name = [](int i) { return std::string(100, 'x') + std::to_string(i); };
    for (int i = 0; i < 1'000; ++i) open.push_back(std::make_unique<reading>(small, name(i)));
    for (int i = 0; i < 500; ++i) publish(small, "busy", std::to_string(i));
    reading kept(small, "kept", std::string(feed::from_start)), busy(small, "busy", std::string(feed::from_start));
    turn_some(c);
    CHECK(kept.seen == " 0 1 2 3 4");
    CHECK(busy.seen == " 495 496 497 498 499");
    // With events, the rooms count.
    for (int i = 0; i < 1'000; ++i) publish(small, name(i), "y");
    turn_some(c);
    open.clear();
    reading late(small, "kept", std::string(feed::from_start)), old(small, name(0), "0-0"),
        last(small, name(999), "0-0");
    turn_some(c);
    CHECK(late.seen.empty());
    CHECK(old.seen.empty());
    CHECK(last.seen == " y");
}

TEST_CASE("feed: names of events have no line breaks, and only a feed with a broker runs") {
    core c;
    feed news;
    for (const std::string& name : {"a\nb"s, "a\rb"s, "a\0b"s, "\n"s}) {
        running_task<std::string> t(news.publish("a", "data", name));
        CHECK_FALSE(t.wait());
    }
    running_task<void> running(news.run());
    CHECK_FALSE(running.wait());
}

TEST_CASE("feed: threads publish while readers of other cores come and go") {
    constexpr int events = 2'000;
    feed news({.room_events = 100'000});
    std::vector<std::thread> all;
    std::atomic<int> following = 0, good = 0;
    for (int i = 0; i < 3; ++i)
        all.emplace_back([&] {
            core c;
            std::string last(feed::from_start), seen;
            ++following;
            // Each reader reads for some turns, then reconnects after the last event that it has got.
            for (int rounds = 0; !seen.ends_with(" 1999") && rounds < 100'000; ++rounds) {
                reading part(news, "a", last);
                for (int turn = 0; turn < 3; ++turn) c.loop->turn(1);
                seen += part.seen;
                if (!part.last_id.empty()) last = part.last_id;
            }
            std::string expected;
            for (int e = 0; e < events; ++e) expected += " " + std::to_string(e);
            if (seen == expected) ++good;
        });
    {
        core c;
        while (following < 3) std::this_thread::yield();
        for (int e = 0; e < events; ++e) publish(news, "a", std::to_string(e));
    }
    for (auto& each : all) each.join();
    CHECK(good == 3);
}
