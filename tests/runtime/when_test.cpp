// SPDX-License-Identifier: Apache-2.0
#include "runtime/running_task.hpp"
#include "support/skipped.hpp"

#include <apus/blocking.hpp>
#include <apus/sleep.hpp>
#include <apus/when_all.hpp>
#include <apus/when_any.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

using namespace apus;
using test::running_task;

namespace {

struct chosen_core {
    explicit chosen_core(const char* name) {
        std::string why;
        if (auto io = runtime::make_backend(name, why)) loop.emplace(std::move(io));
        else support::skip_uring(why);
    }
    std::optional<runtime::loop> loop;
};

// Records its destruction: with '!' if the task was cancelled.
struct noted {
    std::string& log;
    char name;
    bool ended = false;
    ~noted() { (log += name) += ended ? "" : "!"; }
};

task<int> value_after(std::string& log, char name, std::int64_t ms, int value, int status = 0) {
    noted here{log, name};
    if (ms > 0) co_await apus::sleep_for(milliseconds(ms));
    if (ms < 0) co_await apus::yield();
    here.ended = true;
    if (status) co_await fail(status, std::string(1, name));
    co_return value;
}

task<> nothing_after(std::string& log, char name, std::int64_t ms, int status = 0) {
    co_await value_after(log, name, ms, 0, status);
}

template <class T>
std::string shown(const result<T>& r) {
    return r ? "ok" : std::to_string(r.error().status()) + " " + r.error().detail();
}

task<std::string> three(std::string& log, int waits[3], int statuses[3]) {
    auto [a, c] = co_await when_all(value_after(log, 'a', waits[0], 1, statuses[0]),
                                    nothing_after(log, 'b', waits[1], statuses[1]),
                                    value_after(log, 'c', waits[2], 3, statuses[2]));
    log += '.';
    co_return std::to_string(a) + std::to_string(c);
}

}  // namespace

TEST_CASE("when_all returns all values, or the first error after cancelling the others") {
    struct row {
        int waits[3], statuses[3];
        const char *log, *outcome;
    };
    const row rows[] = {
        {{0, 0, 0}, {0, 0, 0}, "abc.", "13"},
        {{9, 5, 1}, {0, 0, 0}, "cba.", "13"},
        {{1, 0, -1}, {0, 0, 0}, "bca.", "13"},
        {{0, 0, 0}, {404, 0, 0}, "a", "404 a"},          // the other tasks are not started
        {{5, 0, 5}, {0, 409, 0}, "ba!", "409 b"},        // only one of the other tasks had started
        {{500, 1, 500}, {0, 503, 0}, "bc!a!", "503 b"},  // cancelled while they wait
        {{-1, -1, -1}, {0, 400, 404}, "abc", "400 b"},   // of two errors, the first error counts
        {{0, 1, 0}, {0, 500, 0}, "acb", "500 b"},
    };
    for (const char* name : {"epoll", "uring"}) {
        chosen_core core(name);
        if (!core.loop) continue;
        for (const row& r : rows) {
            CAPTURE(r.log);
            std::string log;
            int waits[3], statuses[3];
            std::copy(r.waits, r.waits + 3, waits);
            std::copy(r.statuses, r.statuses + 3, statuses);
            {
                running_task t(three(log, waits, statuses));
                auto& outcome = t.wait();
                CHECK((outcome ? *outcome : shown(outcome)) == r.outcome);
                CHECK(core.loop->timers().empty());
            }
            CHECK(log == r.log);
        }
    }
}

TEST_CASE("when_any returns the first result after cancelling the others") {
    struct row {
        int waits[3], statuses[3];
        const char *log, *outcome;
    };
    const row rows[] = {
        {{0, 0, 0}, {0, 0, 0}, "a.", "0:1"},         {{500, 1, 500}, {0, 0, 0}, "bc!a!.", "1:"},
        {{500, 500, 0}, {0, 0, 0}, "cb!a!.", "2:3"}, {{500, 1, 500}, {0, 503, 0}, "bc!a!", "503 b"},
        {{-1, -1, -1}, {0, 0, 404}, "abc.", "0:1"},  // a task that ends later in the same turn is cancelled too
    };
    for (const row& r : rows) {
        chosen_core core("epoll");
        CAPTURE(r.log);
        std::string log;
        auto race = [](std::string& to, const row& with) -> task<std::string> {
            auto first = co_await when_any(value_after(to, 'a', with.waits[0], 1, with.statuses[0]),
                                           nothing_after(to, 'b', with.waits[1], with.statuses[1]),
                                           value_after(to, 'c', with.waits[2], 3, with.statuses[2]));
            to += '.';
            std::string said = std::to_string(first.index()) + ':';
            if (first.index() == 0) said += std::to_string(std::get<0>(first));
            if (first.index() == 2) said += std::to_string(std::get<2>(first));
            co_return said;
        };
        running_task t(race(log, r));
        auto& outcome = t.wait();
        CHECK((outcome ? *outcome : shown(outcome)) == r.outcome);
        CHECK(core.loop->timers().empty());
        CHECK(log == r.log);
    }
}

TEST_CASE("a thousand tasks are awaited, and cancelled with the waiting task") {
    chosen_core core("epoll");
    std::string log;
    auto many = [](std::string& to, int ms) -> task<std::size_t> {
        std::vector<task<int>> tasks;
        for (int i = 0; i < 1000; ++i) tasks.push_back(value_after(to, 'x', ms, i));
        const std::vector<int> values = co_await when_all(std::move(tasks));
        for (int i = 0; i < 1000; ++i)
            if (values[static_cast<std::size_t>(i)] != i) co_await fail(500, "out of order");
        co_return values.size();
    };
    running_task all(many(log, 1));
    CHECK(*all.wait() == 1000);
    CHECK(log == std::string(1000, 'x'));
    {
        running_task cancelled(many(log, 3'600'000));
        CHECK_FALSE(core.loop->timers().empty());
        log.clear();
    }
    CHECK(core.loop->timers().empty());
    CHECK(log.size() == 2000);
}

TEST_CASE("ranges of tasks: empty, without values, and the first") {
    chosen_core core("epoll");
    std::string log;
    auto none_at_all = []() -> task<std::size_t> { co_return (co_await when_all(std::vector<task<int>>())).size(); };
    running_task none_waits(none_at_all());
    CHECK(*none_waits.wait() == 0);
    auto no_values = [](std::string& to) -> task<> {
        std::vector<task<>> tasks;
        for (int ms : {3, 0, -1}) tasks.push_back(nothing_after(to, 'v', ms));
        co_await when_all(std::move(tasks));
    };
    running_task voids(no_values(log));
    CHECK(voids.wait());
    CHECK(log == "vvv");
    auto fastest = [](std::string& to, std::vector<int> times) -> task<int> {
        std::vector<task<int>> tasks;
        for (int ms : times) tasks.push_back(value_after(to, 'r', ms, ms));
        auto [index, value] = co_await when_any(std::move(tasks));
        co_return static_cast<int>(index) * 1000 + value;
    };
    running_task race(fastest(log, {500, 2, 500}));
    CHECK(*race.wait() == 1002);
    running_task without(fastest(log, {}));
    CHECK(shown(without.wait()) == "500 internal error");
}

TEST_CASE("tasks that move their values, throw, or are nested") {
    chosen_core core("epoll");
    auto box = [](int of) -> task<std::unique_ptr<int>> {
        co_await apus::yield();
        co_return std::make_unique<int>(of);
    };
    auto both = [](auto make) -> task<int> {
        auto [a, b] = co_await when_all(make(2), make(3));
        auto either = co_await when_any(when_all(make(5), make(7)), make(11));
        auto [first] = co_await when_all(make(13));
        co_return *a** b** first* static_cast<int>(either.index() + 1);
    };
    running_task t(both(box));
    CHECK(*t.wait() == 2 * 3 * 13 * 2);
    auto throws = []() -> task<int> {
        co_await apus::yield();
        throw std::runtime_error("secret");
    };
    auto with_thrown = [](auto f) -> task<std::string> { co_return shown(co_await when_all(f(), f()).outcome()); };
    running_task u(with_thrown(throws));
    CHECK(*u.wait() == "500 internal error");
}

TEST_CASE("a task cancelled between decision and resumption leaves nothing behind") {
    chosen_core core("epoll");
    std::string log;
    auto pair = [](std::string& to) -> task<> {
        co_await when_all(nothing_after(to, 'a', -1), nothing_after(to, 'b', -1));
        to += '.';
    };
    auto t = std::make_unique<running_task<void>>(pair(log));
    struct posted_call : runtime::posted_call {
        std::unique_ptr<running_task<void>>* victim;
    } last;
    last.victim = &t;
    last.run = [](runtime::posted_call& l) noexcept { static_cast<posted_call&>(l).victim->reset(); };
    core.loop->post(last);  // run after the posted calls of both tasks, before deferred calls run
    core.loop->turn(1000);
    core.loop->turn(0);
    CHECK_FALSE(t);
    CHECK(log == "ab");
}
