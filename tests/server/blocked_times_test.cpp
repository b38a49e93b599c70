// SPDX-License-Identifier: Apache-2.0
#include "server/blocked_times.hpp"

#include "server/watchdog.hpp"

#include <doctest/doctest.h>

#include <cstdint>

using namespace apus;
using server::blocked_times;

TEST_CASE("times are added by stack and route, and the number of stacks is limited") {
    blocked_times times;
    for (std::uintptr_t i = 1; i <= 2000; ++i) {
        const std::uintptr_t stack[] = {i, 7};
        times.add(stack, "/a", {1, 10});
        times.add(stack, "/a", {0, 5});
    }
    const auto all = times.totals();
    CHECK(all.size() == 1001);
    CHECK(all.at({{1, 7}, "/a"}).count == 1);
    CHECK(all.at({{1, 7}, "/a"}).milliseconds == 15);
    CHECK(all.at({{}, "/a"}).count == 1000);
    CHECK(all.at({{}, "/a"}).milliseconds == 15'000);
}

TEST_CASE("a watchdog counts blocked loops, also while they are blocked") {
    runtime::activity loop;
    blocked_times times;
    server::watchdog dog(milliseconds(100), false);
    dog.count_in(times);
    dog.watch(loop, pthread_self());
    const auto total = [&] {
        blocked_times::total sum;
        for (const auto& [where, t] : times.totals()) sum = {sum.count + t.count, sum.milliseconds + t.milliseconds};
        return sum;
    };
    loop.wakes(10'000);
    dog.look(10'050);
    CHECK(total().count == 0);
    dog.look(10'200);
    CHECK(total().milliseconds == 200);
    dog.look(10'300);
    CHECK(total().milliseconds == 300);
    loop.wakes(10'350);
    dog.look(10'400);
    CHECK(total().milliseconds == 350);
    CHECK(total().count == 1);
}
