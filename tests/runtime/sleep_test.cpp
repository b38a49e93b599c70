// SPDX-License-Identifier: Apache-2.0
#include "runtime/running_task.hpp"

#include <apus/sleep.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>

using namespace apus;
using test::running_task;

namespace {

task<> sleep_and_note(std::string& log, char name, duration time) {
    co_await apus::sleep_for(time);
    log += name;
}

struct core {
    runtime::loop loop{runtime::make_epoll_backend()};
};

}  // namespace

TEST_CASE("sleeping tasks wake in the order of their deadlines and not too early") {
    const auto began = std::chrono::steady_clock::now();  // before the loop reads its clock for the first time
    core c;
    std::string log;
    running_task a(sleep_and_note(log, 'a', milliseconds(12)));
    running_task b(sleep_and_note(log, 'b', milliseconds(4)));
    running_task d(sleep_and_note(log, 'd', duration::from_nanoseconds(1)));
    a.wait();
    CHECK(log == "dba");
    CHECK(std::chrono::steady_clock::now() - began >= std::chrono::milliseconds(12));
    CHECK(c.loop.timers().empty());
}

TEST_CASE("a sleep that begins late in a long turn is not shortened by the turn") {
    core c;
    c.loop.turn(0);
    const auto turn_began = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - turn_began < std::chrono::milliseconds(20)) {}
    const auto began = std::chrono::steady_clock::now();
    std::string log;
    running_task a(sleep_and_note(log, 'a', milliseconds(5)));
    a.wait();
    CHECK(log == "a");
    CHECK(std::chrono::steady_clock::now() - began >= std::chrono::milliseconds(5));
}

TEST_CASE("a sleep of zero yields to events and other timers") {
    core c;
    std::string log;
    auto spin = [](std::string& to, duration time) -> task<> {
        for (;;) {
            co_await apus::sleep_for(time);
            to += 's';
        }
    };
    running_task a(spin(log, duration()));
    running_task b(spin(log, seconds(-1)));
    running_task other(sleep_and_note(log, 'o', milliseconds(3)));
    CHECK(log == "");
    other.wait();
    CHECK(log.contains("o"));
    CHECK(log.size() > 2);
    CHECK(log.size() < 20);  // about one per millisecond
}

TEST_CASE("cancelling a sleep removes its timer") {
    core c;
    std::string log;
    {
        running_task a(sleep_and_note(log, 'a', seconds(3600)));
        CHECK_FALSE(c.loop.timers().empty());
    }
    CHECK(c.loop.timers().empty());
    CHECK(log == "");
}

TEST_CASE("a sleep that is never awaited does nothing") {
    core c;
    { [[maybe_unused]] apus::sleep_for unused(seconds(1)); }
    CHECK(c.loop.timers().empty());
}
