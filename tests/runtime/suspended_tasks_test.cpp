// SPDX-License-Identifier: Apache-2.0
#include "runtime/suspended_tasks.hpp"

#include "runtime/loop.hpp"
#include "runtime/running_task.hpp"

#include <apus/blocking.hpp>
#include <apus/channel.hpp>
#include <apus/sleep.hpp>
#include <apus/task_scope.hpp>
#include <apus/when_all.hpp>
#include <apus/when_any.hpp>

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace apus;
using test::running_task;

namespace {

// Names of the lines on which the coroutines of this file wait. A `line_name` names the next line.
std::map<unsigned, std::string_view>& names() {
    static std::map<unsigned, std::string_view> of_lines;
    return of_lines;
}

struct line_name {
    line_name(std::string_view name, unsigned line = __builtin_LINE() + 1) { names()[line] = name; }
};

struct core {
    runtime::loop loop{runtime::make_epoll_backend()};

    // Lists the suspended tasks, oldest first, each followed by its callers: "sleep<outer other".
    std::string shown() {
        std::string all;
        loop.doing().suspended.visit_oldest([&](const detail::promise_base& task) {
            if (!all.empty()) all += ' ';
            for (const auto* at = &task; at; at = at->caller) {
                if (at != &task) all += '<';
                const std::string_view file = at->site.file_name();
                const auto name = names().find(at->site.line());
                if (!file.ends_with("tests/runtime/suspended_tasks_test.cpp")) all += file.substr(file.rfind('/') + 1);
                else all += name == names().end() ? std::to_string(at->site.line()) : name->second;
            }
            return true;
        });
        return all;
    }
    std::size_t size() { return loop.doing().suspended.size(); }
};

struct never {
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    void await_resume() const noexcept {}
};

struct throwing {
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) const { throw std::runtime_error("not now"); }
    void await_resume() const noexcept {}
};

struct not_suspending {
    bool ready;
    bool await_ready() const noexcept { return ready; }
    bool await_suspend(std::coroutine_handle<>) const noexcept { return false; }
    void await_resume() const noexcept {}
};

task<int> sleeping(int ms) {
    const line_name here("sleep");
    co_await apus::sleep_for(milliseconds(ms));
    co_return ms;
}

task<> inner() {
    const line_name here("inner");
    co_await sleeping(1);
}

task<> outer() {
    const line_name here("outer");
    co_await inner();
    const line_name then("outcome");
    (void)co_await sleeping(3'600'000).outcome();
}

task<> waits_for_ever() {
    const line_name here("never");
    co_await never();
}

}  // namespace

TEST_CASE("suspended tasks: a task is listed with its callers while it waits") {
    core c;
    CHECK(c.shown() == "");
    {
        running_task a(outer());
        CHECK(c.shown() == "sleep<inner<outer");
        while (c.shown() == "sleep<inner<outer") c.loop.turn(10);
        CHECK(c.shown() == "sleep<outcome");
        CHECK(c.size() == 1);
    }
    CHECK(c.shown() == "");
    CHECK(c.size() == 0);
}

TEST_CASE("suspended tasks: an entry has the function, the time of the turn, and the origin") {
    core c;
    task_scope scope({.name = "mails"});
    scope.spawn(waits_for_ever());
    c.loop.doing().suspended.visit_oldest([&](const detail::promise_base& task) {
        CHECK(std::string_view(task.site.function_name()).contains("waits_for_ever"));
        CHECK(task.since == c.loop.doing().busy_since.load());
        CHECK(task.since != 0);
        CHECK(std::string_view(task.done->origin) == "mails");
        return true;
    });
    CHECK(c.size() == 1);
}

TEST_CASE("suspended tasks: the task that has waited longest comes first, and the visitor may stop") {
    core c;
    std::optional<running_task<void>> a(waits_for_ever());
    running_task b(sleeping(3'600'000));
    running_task d(outer());
    CHECK(c.shown() == "never sleep sleep<inner<outer");
    a.reset();
    CHECK(c.shown() == "sleep sleep<inner<outer");
    int visited = 0;
    c.loop.doing().suspended.visit_oldest([&](const detail::promise_base&) { return ++visited < 1; });
    CHECK(visited == 1);
}

TEST_CASE("suspended tasks: a wait that does not suspend is not listed") {
    core c;
    auto passing = []() -> task<> {
        co_await not_suspending{true};
        co_await not_suspending{false};
        const line_name here("later");
        co_await never();
    };
    running_task a(passing());
    CHECK(c.shown() == "later");
}

TEST_CASE("suspended tasks: tasks that run concurrently have the same caller") {
    core c;
    auto all = []() -> task<> {
        const line_name here("all");
        co_await when_all(waits_for_ever(), sleeping(1), outer());
    };
    {
        running_task a(all());
        CHECK(c.shown() == "never<when_all.hpp<all sleep<when_all.hpp<all sleep<inner<outer<when_all.hpp<all");
    }
    CHECK(c.size() == 0);
    auto any = []() -> task<> {
        const line_name here("any");
        co_await when_any(waits_for_ever(), sleeping(1));
        const line_name then("after");
        co_await never();
    };
    running_task b(any());
    CHECK(c.shown() == "never<when_any.hpp<any sleep<when_any.hpp<any");
    while (c.size() != 1) c.loop.turn(10);
    CHECK(c.shown() == "after");
}

TEST_CASE("suspended tasks: cancelled tasks of a scope, and tasks that wait for a scope or a channel") {
    core c;
    channel<int> values(0);
    task_scope scope;
    auto receives = [](const channel<int>& from) -> task<> {
        const line_name here("receive");
        (void)co_await from.receive();
    };
    scope.spawn(receives(values));
    scope.spawn(waits_for_ever());
    CHECK(c.shown() == "receive never");
    running_task joining(scope.join());
    CHECK(c.shown() == "receive never task_scope.cpp");
    values.close();
    while (c.size() == 3) c.loop.turn(10);
    CHECK(c.shown() == "never task_scope.cpp");
    scope.cancel();
    while (!joining.ended()) c.loop.turn(10);
    CHECK(c.shown() == "");
}

TEST_CASE("suspended tasks: an exception of await_suspend leaves no entry") {
    core c;
    auto fails = []() -> task<> { co_await throwing(); };
    running_task a(fails());
    CHECK(a.ended());
    CHECK(c.size() == 0);
    auto catches = []() -> task<> {
        try {
            co_await throwing();
        } catch (const std::runtime_error&) {}
        const line_name here("caught");
        co_await never();
    };
    running_task b(catches());
    CHECK(c.shown() == "caught");
}

TEST_CASE("suspended tasks: a task that an error has ended is not listed, although its frame still exists") {
    core c;
    auto reading = []() -> task<std::string> {
        const line_name here("blocking");
        co_return co_await blocking([]() -> result<std::string> { return fail(500, "no"); });
    };
    auto keeps = [&]() -> task<> {
        auto read = reading().outcome();
        const line_name here("keeps");
        const auto outcome = co_await read;
        CHECK_FALSE(outcome);
        const line_name then("kept");
        co_await never();
    };
    running_task a(keeps());
    CHECK(c.shown() == "blocking<keeps");
    while (c.shown() == "blocking<keeps") c.loop.turn(10);
    CHECK(c.shown() == "kept");
}

TEST_CASE("suspended tasks: tasks may exist without a loop") {
    std::optional<core> c(std::in_place);
    std::optional<running_task<void>> a(waits_for_ever());
    CHECK(c->shown() == "never");
    c.reset();
    std::optional<running_task<void>> without(waits_for_ever());
    without.reset();
    c.emplace();
    CHECK(c->shown() == "");
    a.reset();
    CHECK(c->shown() == "");
    CHECK(c->size() == 0);
}
