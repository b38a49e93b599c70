// SPDX-License-Identifier: Apache-2.0
#include "runtime/blocking.hpp"

#include "runtime/running_task.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <functional>
#include <latch>
#include <list>
#include <memory>
#include <semaphore>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace apus;
using runtime::blocking_threads;
using test::running_task;

namespace {

struct core {
    runtime::loop loop{runtime::make_epoll_backend()};
};

template <class F>
auto run(F f) -> task<typename detail::blocking_job<F>::value> {
    co_return co_await apus::blocking(owning(std::move(f)));
}

template <class F>
task<> run_void(F f) {
    co_await apus::blocking(owning(std::move(f)));
}

std::string seen(const result<std::string>& r) {
    return r ? *r : std::to_string(r.error().status()) + " " + r.error().detail();
}

}  // namespace

TEST_CASE("the function's result returns to the calling core") {
    blocking_threads threads;
    core c;
    std::thread::id ran_on;
    auto work = [&ran_on] {
        ran_on = std::this_thread::get_id();
        return std::string("done");
    };
    running_task t(run(work));
    CHECK_FALSE(t.ended());
    CHECK(seen(t.wait()) == "done");
    CHECK(ran_on != std::this_thread::get_id());
    CHECK(ran_on != std::thread::id());
}

TEST_CASE("errors and exceptions are passed on") {
    blocking_threads threads;
    core c;
    auto fails = []() -> result<std::string> { return fail(404, "no such file"); };
    auto throws = []() -> std::string { throw std::runtime_error("secret"); };
    auto gives = []() -> result<std::string> { return "value"; };
    running_task a(run(fails));
    running_task b(run(throws));
    running_task d(run(gives));
    CHECK(seen(a.wait()) == "404 no such file");
    CHECK(seen(b.wait()) == "500 internal error");
    CHECK(seen(d.wait()) == "value");
}

namespace {

task<std::string> look_at_error() {
    auto throws = []() -> std::string { throw std::runtime_error("secret"); };
    auto r = co_await apus::blocking(throws).outcome();
    co_return "seen: " + seen(r);
}

}  // namespace

TEST_CASE("errors can be inspected instead") {
    blocking_threads threads;
    core c;
    running_task t(look_at_error());
    CHECK(seen(t.wait()) == "seen: 500 internal error");
}

TEST_CASE("a function without a result, and one that moves its result") {
    blocking_threads threads;
    core c;
    std::atomic<int> calls = 0;
    running_task a(run_void([&calls] { ++calls; }));
    CHECK(a.wait());
    CHECK(calls == 1);
    running_task b(run([] { return std::make_unique<int>(7); }));
    CHECK(**b.wait() == 7);
}

TEST_CASE("calls over the limits fail with 503 and do not run") {
    blocking_threads threads({.threads = 2, .queue = 3});
    core c;
    std::counting_semaphore<> go(0);
    std::atomic<int> ran = 0;
    auto work = [&] {
        go.acquire();
        ++ran;
        return std::string("ran");
    };
    std::list<running_task<std::string>> accepted;
    for (int i = 0; i < 5; ++i) accepted.emplace_back(run(work));
    running_task refused(run(work));
    CHECK(refused.ended());
    CHECK(seen(refused.wait()) == "503 too many blocking calls are waiting");
    go.release(5);
    for (auto& t : accepted) CHECK(seen(t.wait()) == "ran");
    CHECK(ran == 5);
    go.release();
    running_task later(run(work));
    CHECK(seen(later.wait()) == "ran");
}

TEST_CASE("with a queue of zero, the threads still work") {
    blocking_threads threads({.threads = 1, .queue = 0});
    core c;
    std::binary_semaphore go(0);
    running_task first(run([&go] { return go.acquire(), std::string("ran"); }));
    running_task second(run([] { return std::string("ran"); }));
    CHECK(seen(second.wait()) == "503 too many blocking calls are waiting");
    go.release();
    CHECK(seen(first.wait()) == "ran");
}

TEST_CASE("a call cancelled in the queue does not run") {
    blocking_threads threads({.threads = 1});
    core c;
    std::binary_semaphore go(0);
    std::atomic<int> ran = 0;
    auto count = [&ran, kept = std::make_shared<int>(1)] { return ++ran; };
    running_task first(run([&go] { return go.acquire(), 0; }));
    std::list<running_task<int>> queued;
    for (int i = 0; i < 3; ++i) queued.emplace_back(run(count));
    queued.erase(std::next(queued.begin()));
    queued.pop_back();
    go.release();
    CHECK(*queued.front().wait() == 1);
    queued.clear();
    running_task last(run(count));
    CHECK(*last.wait() == 2);
}

TEST_CASE("a call cancelled while running completes, and its result is dropped") {
    std::latch began(1);
    std::latch may_end(1);
    auto owned = std::make_shared<int>(5);
    std::weak_ptr<int> watch = owned;
    {
        blocking_threads threads;
        core c;  // the loop ends while a call is pending
        {
            auto work = [&, owned = std::move(owned)] {
                began.count_down();
                may_end.wait();
                return owned;
            };
            running_task t(run(std::move(work)));
            began.wait();
        }
        CHECK_FALSE(watch.expired());
        may_end.count_down();
    }
    CHECK(watch.expired());
}

TEST_CASE("a call cancelled while its result is being delivered is dropped") {
    auto owned = std::make_shared<int>(5);
    std::weak_ptr<int> watch = owned;
    core c;
    {
        blocking_threads threads;
        std::latch began(1);
        auto work = [&began, owned = std::move(owned)] {
            began.count_down();
            return owned;
        };
        auto t = std::make_unique<running_task<std::shared_ptr<int>>>(run(std::move(work)));
        began.wait();
        { blocking_threads other; }  // does not end the threads, since the first object still exists
        t.reset();
    }
    c.loop.turn(0);
    CHECK(watch.expired());
}

TEST_CASE("ending the threads refuses queued calls") {
    core c;
    std::latch began(1);
    std::binary_semaphore go(0);
    auto threads = std::make_unique<blocking_threads>(blocking_limits{.threads = 1});
    running_task first(run([&] { return began.count_down(), go.acquire(), std::string("ran"); }));
    running_task second(run([] { return std::string("ran"); }));
    began.wait();
    std::thread ending([&] { threads.reset(); });
    CHECK(seen(second.wait()) == "503 the server stops");
    go.release();
    ending.join();
    CHECK(seen(first.wait()) == "ran");

    running_task after(run([] { return std::string("ran"); }));
    CHECK(seen(after.wait()) == "ran");
    blocking_threads again;  // its destructor joins the thread that was started without an owner
}

namespace {

task<int> ask_many(int times) {
    int sum = 0;
    for (int i = 0; i < times; ++i) {
        auto one = [] { return 1; };
        sum += co_await apus::blocking(one);
    }
    co_return sum;
}

}  // namespace

TEST_CASE("several cores share the threads while tasks are cancelled at random") {
    blocking_threads threads({.threads = 3, .queue = 100'000});
    std::atomic<int> sum = 0;
    auto one_core = [&sum] {
        core c;
        std::list<running_task<int>> tasks;
        for (int i = 0; i < 30; ++i) tasks.emplace_back(ask_many(50));
        for (int i = 0; i < 15; ++i) {
            c.loop.turn();
            tasks.erase(std::next(tasks.begin(), i));
        }
        for (auto& t : tasks) sum += *t.wait();
    };
    std::thread other(one_core);
    one_core();
    other.join();
    CHECK(sum == 2 * 15 * 50);
}

namespace {

task<std::string> read_through(blocking_pool& pool, std::string what) {
    auto twice = [](const std::string& text, int times) {
        std::string all;
        for (int i = 0; i < times; ++i) all += text;
        return all;
    };
    co_return co_await pool.run(twice, std::move(what), 2);
}

template <class F>
task<std::string> run_in(blocking_pool& pool, F f) {
    co_return co_await pool.run(owning(std::move(f)));
}

std::size_t size_of(const std::vector<int>& v) { return v.size(); }

template <class F, class... A>
constexpr bool is_safe = detail::owns_what_it_uses<F> && (!detail::refers_elsewhere<A> && ...);
struct borrowed {
    int& of;
};

}  // namespace

TEST_CASE("arguments are moved into the call, which outlives a cancelled task") {
    blocking_threads threads;
    core c;
    auto vectors = []() -> task<std::size_t> { co_return co_await apus::blocking(size_of, std::vector<int>(5)); };
    running_task sizes(vectors());
    CHECK(*sizes.wait() == 5);
    auto boxes = []() -> task<int> {
        auto value = [](std::unique_ptr<int> p) { return *p; };
        co_return *co_await apus::blocking(value, std::make_unique<int>(7)).outcome();
    };
    running_task boxed(boxes());
    CHECK(*boxed.wait() == 7);
    static_assert(is_safe<decltype(&size_of), std::string, std::shared_ptr<int>, int, std::array<int, 3>>);
    static_assert(!is_safe<decltype(&size_of), const char*>);
    static_assert(!is_safe<decltype(&size_of), std::string_view>);
    static_assert(!is_safe<decltype(&size_of), std::span<int>>);
    static_assert(!is_safe<decltype(&size_of), std::reference_wrapper<std::string>>);
    static_assert(!is_safe<borrowed>);
    static_assert(!is_safe<std::function<int()>>);
    static_assert(is_safe<owning<std::function<int()>>>);
}

TEST_CASE("a pool has threads and limits of its own") {
    blocking_threads threads({.threads = 1});
    core c;
    blocking_pool pool({.threads = 1, .queue = 1});
    std::latch began(1);
    std::binary_semaphore go(0), other_go(0);
    running_task others(run([&other_go] { return other_go.acquire(), std::string("ran"); }));
    auto busy = [&] { return began.count_down(), go.acquire(), std::string("ran"); };
    running_task first(run_in(pool, busy));
    began.wait();
    CHECK(pool.running() == 1);
    running_task second(read_through(pool, "ab"));
    running_task refused(read_through(pool, "x"));
    CHECK(seen(refused.wait()) == "503 too many blocking calls are waiting");
    go.release();
    CHECK(seen(first.wait()) == "ran");
    CHECK(seen(second.wait()) == "abab");
    other_go.release();
    CHECK(seen(others.wait()) == "ran");
}

TEST_CASE("destroying a pool refuses queued calls and waits for running ones") {
    core c;
    std::latch began(1);
    std::binary_semaphore go(0);
    std::atomic<bool> returned = false;
    auto pool = std::make_unique<blocking_pool>(blocking_limits{.threads = 1});
    auto busy = [&] { return began.count_down(), go.acquire(), returned = true, std::string("ran"); };
    auto cancelled = std::make_unique<running_task<std::string>>(run_in(*pool, busy));
    running_task waits(read_through(*pool, "x"));
    auto late = std::make_unique<running_task<std::string>>(read_through(*pool, "y"));
    began.wait();
    cancelled.reset();  // the function itself continues
    std::thread ending([&] { pool.reset(); });
    CHECK(seen(waits.wait()) == "503 the server stops");
    late.reset();  // while the notification of its refusal is in flight
    go.release();
    ending.join();
    CHECK(returned);
    c.loop.turn(0);
}
