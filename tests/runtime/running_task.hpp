// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/backend.hpp"
#include "runtime/loop.hpp"

#include <apus/task.hpp>

#include <optional>

namespace apus::test {

/// A task started on this thread's loop. The destructor cancels it.
template <class T>
class running_task {
public:
    explicit running_task(task<T> t) : self_(t.release()) {
        end_.run = [](detail::completion* c) noexcept {
            static_cast<ending*>(c)->ended = true;
            // The task may end before its turn waits for events, and there may be no event.
            runtime::loop::current().io().wake_up()->signal();
        };
        self_.promise().done = &end_;
        self_.resume();
    }
    running_task(const running_task&) = delete;
    running_task& operator=(const running_task&) = delete;
    ~running_task() { self_.destroy(); }

    bool ended() const noexcept { return end_.ended; }

    /// Runs the loop until the task has ended, and returns its result.
    result<T>& wait() {
        while (!end_.ended) runtime::loop::current().turn();
        return *self_.promise().outcome;
    }

private:
    struct ending : detail::completion {
        bool ended = false;
    } end_;
    typename task<T>::handle self_;
};

}  // namespace apus::test
