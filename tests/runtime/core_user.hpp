// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/core_of_test.hpp"
#include "runtime/running_task.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

namespace apus::test {

/// An event loop on this thread, which runs tasks.
struct core_user {
    explicit core_user(const char* backend) : at(backend) {}

    template <class T>
    result<T> run(task<T> t) {
        running_task<T> running(std::move(t));
        while (!running.ended()) at.loop->turn(20);
        return std::move(running.wait());
    }
    /// Returns the value of a task, which must not fail.
    template <class T>
    T value(task<T> t) {
        auto got = run(std::move(t));
        if (!got) FAIL(got.error().status(), " ", got.error().detail(), ": ", got.error().cause());
        if constexpr (!std::is_void_v<T>) return *std::move(got);
    }
    /// Returns "STATUS cause" for an error (the detail if it has no cause), otherwise "value".
    template <class T>
    std::string failure(task<T> t) {
        return failure(run(std::move(t)));
    }
    template <class T>
    static std::string failure(const result<T>& got) {
        if (got) return "value";
        const error& why = got.error();
        const std::string text(why.cause().empty() ? std::string_view(why.detail()) : why.cause());
        return std::to_string(why.status()) + " " + text;
    }
    /// Runs the loop until `done` returns true, for at most ten seconds.
    bool turn_until(const std::function<bool()>& done) const {
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!done()) {
            if (std::chrono::steady_clock::now() >= until) return false;
            at.loop->turn(5);
        }
        return true;
    }

    core at;
};

}  // namespace apus::test
