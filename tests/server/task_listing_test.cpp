// SPDX-License-Identifier: Apache-2.0
#include "server/task_listing.hpp"

#include "http/exchange.hpp"
#include "runtime/core_of_test.hpp"
#include "runtime/running_task.hpp"
#include "server/task_report.hpp"

#include <apus/app.hpp>
#include <apus/sleep.hpp>
#include <apus/task_scope.hpp>

#include <doctest/doctest.h>

#include <deque>
#include <memory>
#include <string>
#include <string_view>

using namespace apus;
using server::task_listing;
using server::task_snapshot;
using test::running_task;

namespace {

task<> waits() { co_await sleep_for(seconds(3600)); }
task<> calls(int depth) {
    if (depth == 0) co_await waits();
    else co_await calls(depth - 1);
}

// A request with a method and an id, for tasks that are not started by a server.
struct example_request : http::exchange {
    const std::string text = "GET", id_text;

    explicit example_request(std::string i) : id_text(std::move(i)) {
        bytes = text.data();
        head.verb_text = {0, 3};
        id.store(&id_text);
    }
};

// A running task that works for a request.
struct task_of_request : detail::completion {
    task<>::handle self;

    task_of_request(task<> t, const http::exchange& x) : completion{}, self(t.release()) {
        run = [](detail::completion*) noexcept {};
        origin = "handler";
        self.promise().done = this;
        self.promise().request = &x;
        self.resume();
    }
    task_of_request(const task_of_request&) = delete;
    task_of_request& operator=(const task_of_request&) = delete;
    ~task_of_request() { self.destroy(); }
};

std::unique_ptr<task_snapshot> taken(test::core& of, std::string_view without = {}) {
    auto made = std::make_unique<task_snapshot>();
    made->take(of.loop->doing(), without);
    return made;
}

}  // namespace

TEST_CASE("task snapshot: tasks with their requests, origins and callers") {
    test::core core;
    const example_request x("id-1");
    const task_of_request handler(calls(1), x);
    task_scope scope({.name = "mails"});
    scope.spawn(waits());
    const auto all = taken(core);
    REQUIRE(all->tasks().size() == 2);
    CHECK(all->suspended() == 2);
    const auto& first = all->tasks()[0];
    CHECK(first.method == "GET");
    CHECK(first.id == "id-1");
    CHECK(first.route == "");
    CHECK(std::string_view(first.origin) == "handler");
    CHECK(first.waited < 60'000);
    REQUIRE(all->frames(first).size() == 3);
    CHECK(std::string_view(all->frames(first)[0].function_name()).contains("waits"));
    CHECK(std::string_view(all->frames(first)[2].function_name()).contains("calls"));
    CHECK(all->tasks()[1].method == "");
    CHECK(std::string_view(all->tasks()[1].origin) == "mails");
    CHECK(taken(core, "/not/this/route")->suspended() == 2);
}

TEST_CASE("task snapshot: the number of tasks, callers and steps is limited") {
    test::core core;
    task_scope scope({.limit = 10'000});
    for (std::size_t i = 0; i < task_snapshot::max_tasks + 10; ++i) scope.spawn(waits());
    auto all = taken(core);
    CHECK(all->tasks().size() == task_snapshot::max_tasks);
    CHECK(all->suspended() == task_snapshot::max_tasks + 10);

    task_scope deep({.limit = 10'000});
    scope.cancel();
    while (core.loop->doing().suspended.size() != 0) core.loop->turn(10);
    deep.spawn(calls(199));
    deep.spawn(calls(5000));
    for (int i = 0; i < 1000; ++i) deep.spawn(calls(99));
    all = taken(core);
    CHECK(all->suspended() == 1002);
    REQUIRE(all->tasks().size() > 100);
    CHECK(all->tasks().size() < 1002);
    CHECK(all->tasks()[0].frames == task_snapshot::max_frames);
    CHECK(all->tasks()[0].frames_left_out == 201 - task_snapshot::max_frames);
    CHECK(all->tasks()[1].frames_left_out == 1 + task_snapshot::max_callers - task_snapshot::max_frames);
    CHECK(all->tasks()[2].frames == task_snapshot::max_frames);
}

TEST_CASE("task snapshot: requests with long names are left out when the memory for text is used") {
    test::core core;
    std::deque<example_request> requests;
    std::deque<task_of_request> tasks;
    for (int i = 0; i < 20; ++i) {
        requests.emplace_back(std::string(10'000, 'x'));
        tasks.emplace_back(waits(), requests.back());
    }
    const auto all = taken(core);
    CHECK(all->suspended() == 20);
    CHECK(all->tasks().size() > 10);
    CHECK(all->tasks().size() < 20);
    for (const auto& t : all->tasks()) CHECK(t.id.size() == 10'000);
}

TEST_CASE("task report: JSON names threads, tasks, requests and places") {
    test::core core;
    const example_request x("id-\"1\"");
    const task_of_request handler(calls(1), x);
    running_task other(waits());
    task_listing all;
    all.threads.push_back({.name = "core 0", .tasks = taken(core)});
    all.threads.push_back(
        {.name = "core 1", .tasks = {}, .busy = 523, .method = "POST", .route = "/block/{ms}", .id = "9"});
    all.threads.push_back({.name = "core 2", .tasks = {}});
    const std::string json = server::tasks_as_json(all, 10);
    CHECK(json.starts_with(
        R"({"suspended":2,"listed":2,"left_out":0,"threads":[{"thread":"core 0","responds":true,"suspended":2},)"
        R"({"thread":"core 1","responds":false,"busy_ms":523,)"
        R"("request":{"method":"POST","route":"/block/{ms}","id":"9"}},)"
        R"({"thread":"core 2","responds":false}],)"));
    CHECK(json.contains(
        R"({"thread":"core 0","origin":"handler","request":{"method":"GET","route":"","id":"id-\"1\""},)"));
    CHECK(json.contains(R"({"thread":"core 0","origin":"unknown","waiting_ms":)"));
    CHECK(json.contains(R"(tests/server/task_listing_test.cpp","line":)"));
    CHECK(server::tasks_as_json(all, 1).starts_with(R"({"suspended":2,"listed":1,"left_out":1,)"));
    CHECK(server::tasks_as_json(task_listing(), 1) ==
          "{\"suspended\":0,\"listed\":0,\"left_out\":0,\"threads\":[],\n\"tasks\":[]}\n");
}

TEST_CASE("task report: text has one entry for tasks that wait at the same place") {
    test::core core;
    const example_request one("id-1"), two("id-2");
    const task_of_request first(calls(0), one), second(calls(0), two);
    running_task other(waits());
    task_listing all;
    all.threads.push_back({.name = "core 0", .tasks = taken(core)});
    all.threads.push_back(
        {.name = "core 1", .tasks = {}, .busy = 61'500, .method = "POST", .route = "/block/{ms}", .id = "9"});
    const std::string text = server::tasks_as_text(all, 10);
    CHECK(text.starts_with(
        "3 suspended tasks\n"
        "core 1 does not respond, and its tasks are not listed: busy for 1 min 1 s with POST /block/{ms}, request 9\n"
        "\n2 tasks of handler GET (no route), waiting for "));
    CHECK(text.contains("\n  request id-1, id-2\n\n1 task of unknown, waiting for "));
    CHECK(text.contains("(anonymous namespace)::waits()\n"));
    CHECK(server::tasks_as_text(all, 1).contains("\nnot listed: 2 tasks\n"));
    CHECK(server::tasks_as_text(task_listing(), 1) == "0 suspended tasks\n");
}
