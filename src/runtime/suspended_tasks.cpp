// SPDX-License-Identifier: Apache-2.0
#include "runtime/suspended_tasks.hpp"

#include "runtime/activity.hpp"

#include <utility>

namespace apus::runtime {

// Tasks may outlive their loop, for example in tests.
suspended_tasks::~suspended_tasks() {
    for (auto* at = ends_.next; at != &ends_;) std::exchange(at, at->next)->prev = nullptr;
}

void suspended_tasks::add(detail::promise_base& task) noexcept {
    task.next = ends_.next;
    task.prev = &ends_;
    task.next->prev = &task;
    ends_.next = &task;
    ++size_;
}

void suspended_tasks::remove(detail::promise_base& task) noexcept {
    task.next->prev = task.prev;
    task.prev->next = task.next;
    task.prev = nullptr;
    --size_;
}

}  // namespace apus::runtime

namespace apus {

using runtime::activity;

void detail::promise_base::suspend() noexcept {
    activity* const here = activity::here();
    if (!here) return;
    if (prev) [[unlikely]]
        here->suspended.remove(*this);  // `await_suspend` of an earlier awaitable has thrown
    since = here->busy_since.load(std::memory_order_relaxed);
    here->suspended.add(*this);
    if (request) here->work_for(nullptr);
}

void detail::promise_base::resume() noexcept {
    activity* const here = activity::here();
    if (!here) return;
    if (prev) here->suspended.remove(*this);
    if (request) here->request.store(request, std::memory_order_release);
}

// On a thread without a loop, the list's loop is about to end: only the links matter.
void detail::promise_base::forget_suspension() noexcept {
    if (activity* const here = activity::here()) return here->suspended.remove(*this);
    next->prev = prev;
    prev->next = next;
    prev = nullptr;
}

}  // namespace apus
