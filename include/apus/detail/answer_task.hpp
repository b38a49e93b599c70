// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/answers.hpp>

namespace apus::detail {

/// A handler's task, type-erased and owned. Its value becomes the response.
class typed_task {
public:
    template <class T>
    explicit typed_task(task<T>&& work) noexcept : put_(&put_outcome<T>) {
        const auto handle = work.release();
        frame_ = handle;
        promise_ = &handle.promise();
    }
    typed_task(typed_task&& other) noexcept : frame_(other.frame_), promise_(other.promise_), put_(other.put_) {
        other.frame_ = {};
    }
    typed_task& operator=(typed_task&&) = delete;
    ~typed_task() {
        if (frame_) frame_.destroy();
    }

    std::coroutine_handle<> frame() const noexcept { return frame_; }
    promise_base& promise() const noexcept { return *promise_; }
    /// For a finished task: writes its value to `out` and returns null.
    /// If the task has failed, returns its error.
    error* put(response& out) const { return put_(*promise_, out); }

private:
    template <class T>
    static error* put_outcome(promise_base& promise, response& out) {
        auto& outcome = *static_cast<value_promise<T>&>(promise).outcome;
        if (!outcome) return &outcome.error();
        if constexpr (std::is_void_v<T>) out.status(204);
        else answer<T>::put(out, *std::move(outcome));
        return nullptr;
    }

    std::coroutine_handle<> frame_;
    promise_base* promise_;
    error* (*put_)(promise_base&, response& out);
};

/// Awaits a handler's task, and converts its value to a response.
task<response> answer_later(typed_task work);

}  // namespace apus::detail
