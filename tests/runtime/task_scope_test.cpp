// SPDX-License-Identifier: Apache-2.0
#include "base/thrown.hpp"
#include "runtime/running_task.hpp"

#include <apus/sleep.hpp>
#include <apus/task_scope.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>

using namespace apus;
using test::running_task;

namespace {

struct core {
    runtime::loop loop{runtime::make_epoll_backend()};
};

struct noted {
    std::string& log;
    char name;
    bool ended = false;
    ~noted() { (log += name) += ended ? "" : "!"; }
};

// Sleeps for `ms` milliseconds, or yields -`ms` times.
task<> work(std::string& log, char name, std::int64_t ms, int status = 0) {
    noted here{log, name};
    if (ms > 0) co_await apus::sleep_for(milliseconds(ms));
    for (; ms < 0; ++ms) co_await apus::yield();
    here.ended = true;
    if (status) co_await fail(status, std::string(1, name));
}

std::string shown(const result<void>& r) {
    return r ? "ok" : std::to_string(r.error().status()) + " " + r.error().detail();
}

// Runs turns with a timeout, since a loop that has run its deferred calls would otherwise wait for an event, which may
// never occur.
result<void>& finish(running_task<void>& t) {
    while (!t.ended()) runtime::loop::current().turn(1);
    return t.wait();
}

std::string told;  // errors in the form in which they would be logged

struct failures {
    failures() {
        told.clear();
        base::on_task_failure([](int status, std::string_view why, std::string_view) noexcept {
            (told += std::to_string(status)).append(why).append(" ");
        });
    }
    failures(const failures&) = delete;
    failures& operator=(const failures&) = delete;
    ~failures() { base::on_task_failure(nullptr); }
};

}  // namespace

TEST_CASE("a scope waits for its tasks; the first that fails cancels the others, or is logged") {
    struct row {
        task_failure how;
        std::int64_t waits[3];
        int statuses[3];
        const char *log, *joined, *told;
    };
    constexpr auto cancels = task_failure::cancels_others, logged = task_failure::only_logged;
    const row rows[] = {
        {cancels, {0, 0, 0}, {0, 0, 0}, "abc", "ok", ""},
        {cancels, {-3, -1, -2}, {0, 0, 0}, "bca", "ok", ""},
        {cancels, {60'000, -2, 60'000}, {0, 404, 0}, "bc!a!", "404 b", "404b "},
        {cancels, {60'000, 0, 0}, {0, 503, 0}, "ba!", "503 b", "503b "},  // c is not started
        {cancels, {-1, -1, -1}, {0, 400, 404}, "acb", "400 b", "400b 404c "},
        {logged, {-2, -1, 0}, {0, 404, 409}, "cba", "ok", "409c 404b "},
    };
    for (const row& r : rows) {
        CAPTURE(r.log);
        core c;
        const failures watch;
        std::string log;
        auto parent = [](std::string& to, const row& with) -> task<> {
            task_scope scope({.on_failure = with.how});
            for (int i = 0; i < 3; ++i)
                scope.spawn(work(to, static_cast<char>('a' + i), with.waits[i], with.statuses[i]));
            co_await scope.join();
        };
        running_task t(parent(log, r));
        CHECK(shown(finish(t)) == r.joined);
        CHECK(log == r.log);
        CHECK(told == r.told);
        CHECK(c.loop.timers().empty());
    }
}

TEST_CASE("destroying a scope cancels its tasks, also together with its owning task") {
    core c;
    std::string log;
    auto short_lived = [](std::string& to) -> task<> {
        task_scope scope;
        scope.spawn(work(to, 'a', 3'600'000));
        scope.spawn(work(to, 'b', -1));
        while (to.empty()) co_await apus::sleep_for(milliseconds(1));  // waits until b has ended
        to += '.';
    };
    running_task t(short_lived(log));
    CHECK(finish(t));
    CHECK(log == "b.a!");
    log.clear();
    {
        auto waits = [](std::string& to) -> task<> {
            task_scope scope;
            scope.spawn(work(to, 'a', 3'600'000));
            co_await scope.join();
        };
        running_task cancelled(waits(log));
    }
    CHECK(log == "a!");
    CHECK(c.loop.timers().empty());
    c.loop.turn(0);
}

TEST_CASE("a task may spawn into its own scope, and cancel it") {
    core c;
    std::string log;
    auto parent = [](std::string& to) -> task<> {
        task_scope scope;
        auto inner = [](task_scope& in, std::string& log_to) -> task<> {
            in.spawn(work(log_to, 'a', 3'600'000));
            co_await apus::yield();
            in.cancel();
            log_to += '-';
            in.spawn(work(log_to, 'b', 0));  // spawned after the cancellation
            CHECK_FALSE(in.try_spawn(work(log_to, 'b', 0)));
            co_await apus::sleep_for(seconds(3600));
            log_to += "not reached";
        };
        scope.spawn(inner(scope, to));
        co_await scope.join();
        to += '.';
    };
    running_task t(parent(log));
    CHECK(shown(finish(t)) == "ok");
    CHECK(log == "-a!.");
}

TEST_CASE("the number of tasks in a scope is limited") {
    core c;
    std::string log;
    task_scope scope({.limit = 1'000});
    for (int i = 0; i < 1'000; ++i) scope.spawn(work(log, 'x', 1));
    CHECK_FALSE(scope.try_spawn(work(log, 'y', 0)));
    CHECK_THROWS_AS(scope.spawn(work(log, 'y', 0)), std::length_error);
    CHECK(scope.size() == 1'000);
    running_task t(scope.join());
    CHECK(finish(t));
    CHECK(scope.size() == 0);
    CHECK(log == std::string(1'000, 'x'));
    CHECK(scope.try_spawn(work(log, 'z', 0)));
    CHECK(log.ends_with("z"));
}

TEST_CASE("exceptions of tasks count as errors") {
    core c;
    const failures watch;
    auto parent = []() -> task<> {
        task_scope scope;
        auto throws = []() -> task<> {
            co_await apus::yield();
            throw std::runtime_error("secret");
        };
        scope.spawn(throws());
        co_await scope.join();
    };
    running_task t(parent());
    CHECK(shown(finish(t)) == "500 internal error");
    CHECK(told == "");  // the exception was reported
}
