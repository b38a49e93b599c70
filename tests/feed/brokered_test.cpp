// SPDX-License-Identifier: Apache-2.0
#include "feed/readers.hpp"
#include "feed/scripted_broker.hpp"

#include "runtime/core_of_test.hpp"
#include "server/process_output.hpp"

#include <apus/channel.hpp>
#include <apus/sleep.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace apus;
using test::core;
using test::reading;
using test::running_task;

namespace {

/// Stores the events of one room, and can fail as a real broker cannot be made to.
struct faulty_broker final : feed_broker {
    bool publish_fails = false, read_fails = false, stores = true, sends = true;
    std::size_t too_large = 1'000'000;  ///< Reads of so many events fail.
    std::string unreadable;             ///< Room that cannot be read.
    std::string cause;                  ///< Of errors. Brokers of users may set none.
    std::vector<received> stored;
    channel<received> messages{1'000};

    void send_gap() {
        received gap;
        gap.event.gap = true;
        CHECK(messages.try_send(gap));
    }

    task<std::string> publish(std::string room, feed_event event, std::string token) override {
        if (stores) {
            event.id = "99999999999999-" + std::to_string(100 + stored.size());
            const std::string previous = stored.empty() ? std::string() : stored.back().event.id;
            stored.push_back({std::move(room), std::move(event), std::move(token), previous, stored.empty()});
            if (sends) CHECK(messages.try_send(stored.back()));
        }
        co_await sleep_for(milliseconds(5));
        if (publish_fails) co_await fail(503, "unreachable").cause(cause);
        co_return stored.back().event.id;
    }
    task<std::vector<result<std::vector<received>>>> read(std::vector<feed_position> from, std::size_t count) override {
        if (read_fails) co_await fail(503, "unreachable").cause(cause);
        if (count >= too_large) co_await fail(500, "the reply is too large");
        std::vector<result<std::vector<received>>> made;
        for (const auto& at : from) {
            std::vector<received> page;
            for (const auto& each : stored)
                if ((at.after == "0-0" || each.event.id >= at.after) && page.size() < count) page.push_back(each);
            if (at.room == unreadable) made.emplace_back(fail(500, "wrong type").cause(cause));
            else made.emplace_back(std::move(page));
        }
        co_return made;
    }
    task<std::vector<result<std::string>>> last_ids(std::vector<std::string> rooms) override {
        if (read_fails) co_await fail(503, "unreachable").cause(cause);
        std::vector<result<std::string>> made;
        for (const auto& room : rooms) {
            if (room == unreadable) made.emplace_back(fail(500, "wrong type").cause(cause));
            else made.emplace_back(stored.empty() ? std::string() : stored.back().event.id);
        }
        co_return made;
    }
    task<std::optional<received>> receive() override { return next(messages); }
    static task<std::optional<received>> next(channel<received> from) { co_return co_await from.receive(); }
    void end_receiving() noexcept override {}
    void configure(const feed_options&) override {}
};

bool soon(core& c, const std::function<bool()>& done) { return test::turn_until(c, done); }

std::string publish(const feed& in, std::string data) {
    running_task<std::string> t(in.publish("a", std::move(data)));
    return *t.wait();
}

}  // namespace

// The first case of this program, since a child process does not inherit a log that its parent has begun.
TEST_CASE("feed: the log has the cause of a broker's error, or its detail") {
    const auto publication = [](faulty_broker& of) { of.publish_fails = true; };
    const auto positions = [](faulty_broker& of) { of.read_fails = true; };
    const auto room = [](faulty_broker& of) { of.unreadable = "a"; };
    struct row {
        void (*fail)(faulty_broker&);
        const char *cause, *reason;
    };
    const row rows[] = {{publication, "", "unreachable"}, {publication, "refused", "refused"},
                        {positions, "", "unreachable"},   {positions, "refused", "refused"},
                        {room, "", "wrong type"},         {room, "WRONGTYPE", "WRONGTYPE"}};
    for (const auto& [fail, cause, reason] : rows) {
        const auto log = test::said_by_process("warn,json", [fail, cause] {
            core c;
            faulty_broker broker;
            broker.cause = cause;
            fail(broker);
            const feed news({}, broker);
            running_task<void> running(news.run());
            broker.send_gap();
            const reading here(news, "a");
            publish(news, "1");
            soon(c, [&] { return here.begun; });
        });
        CHECK(log.contains(std::string("\"reason\":\"") + reason + '"'));
    }
}

TEST_CASE("feed: the log has the node and its error once per outage, also after other nodes have responded") {
    const auto log = test::said_by_process("warn,json", [] {
        core c;
        test::scripted_broker broker;
        const feed news({}, broker);
        running_task<void> running(news.run());
        broker.send_gap();
        const reading healthy(news, "1:a"), first(news, "2:a"), second(news, "2:b");
        test::turn_until(c, [&] { return healthy.begun && first.begun && second.begun; });
        for (int outage = 0; outage < 2; ++outage) {
            broker.failing = {"2"};
            for (int i = 0; i < 3; ++i) {
                const std::string room = "1:" + std::to_string(outage * 3 + i);
                broker.store("1:a", "x");
                broker.send_gap();
                const reading new_room(news, room), of_failing(news, "2:" + room);
                test::turn_until(c, [&] { return new_room.begun; });
                running_task<std::string>(news.publish("2:a", "lost")).wait();
            }
            broker.failing.clear();
            broker.store("2:a", "stored");
            test::turn_until(c, [&] { return std::ranges::count(first.seen, 'd') == outage + 1; });
        }
    });
    std::size_t warnings = 0;
    const std::string_view wanted = "\"reason\":\"node 2 is down\",\"node\":\"2\"";
    for (auto at = log.find(wanted); at != log.npos; at = log.find(wanted, at + 1)) ++warnings;
    CAPTURE(log);
    CHECK(warnings == 2);
    CHECK_FALSE(log.contains("\"node\":\"1\""));
}

TEST_CASE("feed: an event whose publication was not confirmed reaches each reader once") {
    for (const bool sends : {false, true}) {  // whether the message arrives before the connection is lost
        CAPTURE(sends);
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
        broker.sends = sends;
        CHECK(publish(news, "2").empty() != sends);
        CHECK(soon(c, [&] { return here.seen == " 1 2"; }));
        broker.stores = false;
        CHECK(publish(news, "3").empty());
        broker.publish_fails = false;
        broker.stores = broker.sends = true;
        broker.send_gap();
        CHECK(soon(c, [&] { return !publish(news, "4").empty(); }));
        CHECK(soon(c, [&] { return here.seen.ends_with(" 4"); }));
        CHECK(here.seen.starts_with(" 1 2 3 4"));
        // A client that reconnects gets what the broker has stored.
        reading again(news, "a", first);
        CHECK(soon(c, [&] { return again.seen.starts_with(" 2 4"); }));
    }
}

TEST_CASE("feed: an outage ends with the first event that the broker stores") {
    core c;
    faulty_broker broker;
    const feed news({}, broker);
    running_task<void> running(news.run());
    broker.send_gap();
    reading here(news, "a");
    REQUIRE(soon(c, [&] { return here.begun; }));
    broker.publish_fails = true;
    broker.stores = false;
    CHECK(publish(news, "1").empty());
    broker.publish_fails = false;
    broker.stores = true;
    CHECK(soon(c, [&] { return !publish(news, "2").empty(); }));  // the channel had no gap
    for (int i = 3; i < 10; ++i) CHECK_FALSE(publish(news, std::to_string(i)).empty());
    CHECK(soon(c, [&] { return here.seen.ends_with(" 2 3 4 5 6 7 8 9"); }));
}

TEST_CASE("feed: a new room and a message of another one at the same time") {
    core c;
    faulty_broker broker;
    const feed news({}, broker);
    running_task<void> running(news.run());
    broker.send_gap();
    reading here(news, "a");
    REQUIRE(soon(c, [&] { return here.begun; }));
    std::string expected;
    for (int i = 0; i < 50; ++i) {
        reading other(news, "room " + std::to_string(i));
        running_task<std::string> publishing(news.publish("a", std::to_string(i)));
        expected += " " + std::to_string(i);
        CHECK(soon(c, [&] { return other.begun && publishing.ended(); }));
        CHECK(other.seen.empty());
    }
    CHECK(soon(c, [&] { return here.seen == expected; }));
}

TEST_CASE("feed: a message that the channel has lost is read again when the next one arrives") {
    core c;
    faulty_broker broker;
    const feed news({}, broker);
    running_task<void> running(news.run());
    broker.send_gap();
    reading here(news, "a");
    REQUIRE(soon(c, [&] { return here.begun; }));
    for (int i = 0; i < 9; ++i) {
        broker.sends = i % 3 == 2;
        CHECK_FALSE(publish(news, std::to_string(i)).empty());
    }
    CHECK(soon(c, [&] { return here.seen == " 0 1 2 3 4 5 6 7 8"; }));
}

TEST_CASE("feed: a room or page that cannot be read does not delay others") {
    core c;
    faulty_broker broker;
    broker.unreadable = "wrong";
    broker.too_large = 16;
    const feed news({}, broker);
    running_task<void> running(news.run());
    broker.send_gap();
    reading wrong(news, "wrong"), here(news, "a");
    REQUIRE(soon(c, [&] { return here.begun; }));
    std::string expected;
    broker.sends = false;
    for (int i = 0; i < 40; ++i) {
        publish(news, std::to_string(i));
        expected += " " + std::to_string(i);
    }
    broker.sends = true;
    broker.send_gap();
    CHECK(soon(c, [&] { return here.seen == expected; }));
    publish(news, "new");
    CHECK(soon(c, [&] { return here.seen == expected + " new"; }));
    CHECK(soon(c, [&] { return wrong.seen == "|"; }));
    broker.unreadable.clear();
    CHECK(soon(c, [&] { return wrong.seen == "||"; }));
}

TEST_CASE("feed: a reader whose page cannot be read gets its events in smaller pages") {
    core c;
    faulty_broker broker;
    broker.too_large = 16;
    const feed news({}, broker);
    running_task<void> running(news.run());
    broker.send_gap();
    const auto id = [](int i) { return "7-" + std::to_string(100 + i); };
    for (int i = 0; i < 40; ++i) broker.stored.push_back({"a", {id(i), {}, std::to_string(i)}, {}, {}, i == 0});
    std::string expected;
    for (int i = 1; i < 40; ++i) expected += " " + std::to_string(i);
    const reading resumed(news, "a", id(0));
    CHECK(soon(c, [&] { return resumed.seen == expected; }));
}

TEST_CASE("feed: a gap is only for the readers of its time") {
    core c;
    faulty_broker broker;
    const feed news({}, broker);
    running_task<void> running(news.run());
    broker.send_gap();
    reading here(news, "a");
    REQUIRE(soon(c, [&] { return here.begun; }));
    for (int i = 0; i < 5; ++i) publish(news, std::to_string(i));
    REQUIRE(soon(c, [&] { return here.seen == " 0 1 2 3 4"; }));
    broker.stored.erase(broker.stored.begin(), broker.stored.end());
    broker.send_gap();
    CHECK(soon(c, [&] { return here.seen == " 0 1 2 3 4|"; }));
    broker.stored.push_back({"a", {"99999999999999-900", {}, "x"}, {}, {}, false});
    broker.stored.push_back({"a", {"99999999999999-900", {}, "y"}, {}, {}, false});
    broker.stored.back().event.id = "99999999999999-901";
    broker.send_gap();
    CHECK(soon(c, [&] { return here.seen == " 0 1 2 3 4|| x y"; }));  // earlier events were removed
    reading all(news, "a", std::string(feed::from_start)), unknown(news, "a", "5-5");
    CHECK(soon(c, [&] { return all.seen == " x y" && unknown.seen == "| x y"; }));
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
    CHECK(soon(c, [&] { return !publish(news, "1").empty(); }));
    CHECK(soon(c, [&] { return blind.seen.ends_with(" 1"); }));
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
    CHECK(soon(c, [&] { return third.ended(); }));
}
