// SPDX-License-Identifier: Apache-2.0
#include "middleware/async_semaphore.hpp"

#include "runtime/running_task.hpp"

#include <apus/task.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

using apus::middleware::async_semaphore;
using apus::test::running_task;

namespace {

struct fixture {
    std::string why, seen;
    apus::runtime::loop loop{apus::runtime::make_backend("", why)};
    async_semaphore line{1, 3};

    // Waits for a permit. Records `name`, or '-' after the timeout. Keeps the permit if `keep` is set.
    apus::task<> wait(char name, std::uint64_t longest, bool keep) {
        async_semaphore::acquire_awaiter slot(line, longest);
        auto permit = co_await slot;
        seen += permit ? name : '-';
        if (keep) kept.push_back(std::move(permit));
    }
    using running = std::unique_ptr<running_task<void>>;
    running begin(char name, std::uint64_t longest = 60'000, bool keep = false) {
        return std::make_unique<running_task<void>>(wait(name, longest, keep));
    }
    void turn() { loop.turn(0), loop.turn(0); }

    std::vector<async_semaphore::permit> kept;
};

}  // namespace

TEST_CASE_FIXTURE(fixture, "the longest waiting task is admitted first") {
    auto held = line.try_acquire();
    CHECK(held);
    CHECK_FALSE(line.try_acquire());
    auto a = begin('a'), b = begin('b'), c = begin('c');
    CHECK(line.full());
    turn();
    CHECK(seen == "");
    held = {};
    CHECK_FALSE(line.try_acquire());  // no free slot, since queued tasks come first
    turn();
    CHECK(seen == "abc");
    CHECK(line.held() == 0);
    CHECK(line.try_acquire());
}

TEST_CASE_FIXTURE(fixture, "one free slot admits one task") {
    auto held = line.try_acquire();
    auto a = begin('a', 60'000, true), b = begin('b', 60'000, true);
    held = {};
    turn();
    CHECK(seen == "a");
    kept.clear();
    turn();
    CHECK(seen == "ab");
    kept.clear();
    CHECK(line.held() == 0);
}

TEST_CASE_FIXTURE(fixture, "a cancelled task leaves the queue, at any position") {
    for (int who = 0; who < 3; ++who) {
        CAPTURE(who);
        seen.clear();
        auto held = line.try_acquire();
        fixture::running tasks[] = {begin('a'), begin('b'), begin('c')};
        tasks[who].reset();
        CHECK(line.waiting() == 2);
        held = {};
        turn();
        CHECK(seen == (who == 0 ? "bc" : who == 1 ? "ac" : "ab"));
        CHECK(line.held() == 0);
    }
}

TEST_CASE_FIXTURE(fixture, "a task cancelled before admission takes no slot") {
    auto held = line.try_acquire();
    auto a = begin('a'), b = begin('b');
    held = {};
    a.reset();
    turn();
    CHECK(seen == "b");
    CHECK(line.held() == 0);
}

TEST_CASE_FIXTURE(fixture, "a task that waits too long is rejected") {
    auto held = line.try_acquire();
    auto a = begin('a', 1), b = begin('b');
    while (seen.empty()) loop.turn(10);
    CHECK(seen == "-");
    CHECK(line.waiting() == 1);
    held = {};
    turn();
    CHECK(seen == "-b");
}
