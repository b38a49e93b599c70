// SPDX-License-Identifier: Apache-2.0
#include "runtime/signal_stack.hpp"

#include <doctest/doctest.h>

#include <thread>

#include <signal.h>

using apus::runtime::signal_stack;

TEST_CASE("an existing signal stack is kept") {
    std::thread([] {
        const signal_stack outer;
        stack_t first{}, second{};
        sigaltstack(nullptr, &first);
        {
            const signal_stack inner;
            sigaltstack(nullptr, &second);
            CHECK(first.ss_sp == second.ss_sp);
        }
        sigaltstack(nullptr, &second);
        CHECK(first.ss_sp == second.ss_sp);
    }).join();
}
