// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/task.hpp>

#include <cstddef>

namespace apus::runtime {

/// The tasks of a loop that wait for anything but another task, in the order of suspension.
/// The tasks that wait for these tasks are their callers, and are not in the list. Used by the loop's thread only.
class suspended_tasks {
public:
    suspended_tasks() noexcept : ends_{&ends_, &ends_} {}
    suspended_tasks(const suspended_tasks&) = delete;
    suspended_tasks& operator=(const suspended_tasks&) = delete;
    ~suspended_tasks();

    std::size_t size() const noexcept { return size_; }

    /// Calls `visit(const detail::promise_base&)` for each task; the longest suspended task is first.
    /// Ends if `visit` returns false. `visit` must not resume or destroy tasks.
    template <class F>
    void visit_oldest(F visit) const {
        for (const auto* at = ends_.prev; at != &ends_; at = at->prev)
            if (!visit(static_cast<const detail::promise_base&>(*at))) return;
    }

    void add(detail::promise_base&) noexcept;
    void remove(detail::promise_base&) noexcept;

private:
    detail::suspension_link ends_;  // `next`: the newest task, `prev`: the oldest task
    std::size_t size_ = 0;
};

}  // namespace apus::runtime
