// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

namespace apus::detail {

/// A coroutine that will return the response; null if the response is in `out`.
using pending = task<response>::handle;

/// One step of a route's chain: middleware, or the handler as the last step.
/// The steps of a chain are contiguous in memory, so a pointer to a step represents the rest of the chain.
struct step {
    const void* self;
    pending (*run)(const step* here, request&, response& out);
};

/// Runs a chain from `first` until a response is in `out`, or a step returns a coroutine.
/// Returns that coroutine without starting it. Errors and exceptions become error responses in `out`.
pending advance(const step* first, request&, response& out) noexcept;

/// Writes the status and fields of an error response to `out`; `add_error_body` adds the body.
/// Returns null, like a step that has written a response.
pending refuse(error e, response& out);

/// Adds the body to an error response.
/// The app's `on_error` creates the body. Without `on_error`, the body is a problem document.
void add_error_body(request&, response& out);

/// Makes `waiter` wait for a coroutine that returns a response. Returns the coroutine to resume.
template <class P>
std::coroutine_handle<> begin_waiting(pending behind, std::coroutine_handle<P> waiter) noexcept {
    behind.promise().set_waiter(waiter);
    enter_request(behind.promise().request);
    return behind;
}

/// Returns the response of a finished coroutine. An error or exception becomes a response.
response response_of(pending ended);

/// Awaitable returned by `next`. It uses a coroutine only if a later step of the chain returns one.
class [[nodiscard]] next_call {
public:
    using awaits_task = void;

    next_call(const step* first, request& req) noexcept : first_(first), request_(&req) {}
    next_call(next_call&& other) noexcept
        : first_(other.first_), request_(other.request_), behind_(std::exchange(other.behind_, {})) {}
    next_call& operator=(const next_call&) = delete;
    ~next_call() {
        if (behind_) behind_.destroy();
    }

    bool await_ready() noexcept {
        behind_ = advance(first_, *request_, answer_);
        return !behind_;
    }
    template <class P>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiter) noexcept {
        return begin_waiting(behind_, waiter);
    }
    response await_resume() { return behind_ ? response_of(behind_) : std::move(answer_); }

private:
    const step* first_;
    request* request_;
    pending behind_;
    response answer_;
};

}  // namespace apus::detail
