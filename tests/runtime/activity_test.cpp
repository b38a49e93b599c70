// SPDX-License-Identifier: Apache-2.0
#include "runtime/activity.hpp"

#include "runtime/loop.hpp"
#include "runtime/running_task.hpp"

#include <apus/sleep.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>

#include <poll.h>

using namespace apus;
using namespace apus::runtime;

TEST_CASE("activity: a loop reports since when it is busy, and that it waits") {
    loop l(make_epoll_backend());
    CHECK(l.doing().busy_since.load() != 0);
    std::atomic<bool> slept = false;
    std::thread other([&] {
        while (l.doing().busy_since.load() != 0) std::this_thread::yield();
        slept = true;
        l.io().wake_up()->signal();
    });
    l.turn();
    other.join();
    CHECK(slept);
    CHECK(l.doing().busy_since.load() != 0);
}

TEST_CASE("activity: a loop that wakes up signals its alarm once") {
    loop l(make_epoll_backend());
    const event_fd alarm;
    const auto rung = [&] {
        pollfd p{alarm.fd(), POLLIN, 0};
        const bool is = poll(&p, 1, 0) == 1;
        alarm.clear();
        return is;
    };
    l.turn(0);
    CHECK(!rung());
    l.doing().alarm.store(&alarm);
    l.turn(0);
    CHECK(rung());
    l.turn(0);
    CHECK(!rung());
}

TEST_CASE("activity: the request is set while its code runs, in tasks too, but not while they wait") {
    loop l(make_epoll_backend());
    auto& doing = l.doing();
    std::string seen;
    int name = 0;
    const auto note = [&](const char* where) {
        const void* const named = doing.request.load();
        seen += where + std::string(named == &name ? "+ " : named == nullptr ? "- " : "? ");
    };
    auto inner = [&]() -> task<int> {
        note("inner");
        co_await apus::sleep_for(milliseconds(1));
        note("woken");
        co_return 1;
    };
    auto outer = [&]() -> task<> {
        note("begun");
        co_await inner();
        note("back");
        const auto looked_at = co_await inner().outcome();
        CHECK(looked_at.has_value());
        note("end");
    };
    task<> begun = outer();
    auto handle = begun.release();
    detail::completion end{[](detail::completion*) noexcept { detail::leave_request(); }};
    handle.promise().done = &end;
    handle.promise().request = &name;
    {
        const working_for work(&name);
        handle.resume();
        note("suspended");
    }
    while (!handle.done()) {
        const std::size_t before = seen.size();
        l.turn();
        if (seen.size() != before) note("between");  // an interrupted wait also ends a turn
    }
    handle.destroy();
    CHECK(seen == "begun+ inner+ suspended- woken+ back+ inner+ between- woken+ end+ between- ");
}

TEST_CASE("activity: an inspected request stays until the inspection is over") {
    loop l(make_epoll_backend());
    auto& doing = l.doing();
    std::atomic<int> alive = 0, looks = 0;
    std::atomic<bool> ends = false;
    std::thread inspector([&] {
        while (!ends) {
            const inspection one(doing);
            if (!one.request()) continue;
            for (int i = 0; i < 50; ++i) CHECK(static_cast<const std::atomic<int>*>(one.request())->load() == 1);
            ++looks;
        }
    });
    for (int runs = 0; looks < 20 && runs < 1'000'000; ++runs) {
        alive = 1;
        {
            const working_for work(&alive);
            for (volatile int i = 0; i < 1000; i = i + 1) {}
        }
        alive = 0;
    }
    ends = true;
    inspector.join();
    CHECK(looks >= 20);
}
