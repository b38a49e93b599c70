// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

namespace apus::detail {

/// A coroutine that will give the response, or null: the response has been put into `out`.
using pending = task<response>::handle;

/// One part of a route's chain: a middleware, a filter, or at the end the handler. The parts of a
/// chain lie one after the other, so the rest of a chain is the address of its first part.
struct step {
    const void* self;
    pending (*run)(const step* here, request&, response& out);
};

/// Runs a chain from `first` on until a response is in `out`, or a coroutine has to be started,
/// which is then given back unstarted. Errors and exceptions are put into `out` as problem documents.
pending advance(const step* first, request&, response& out) noexcept;

/// Makes `e` the answer; `give_body` makes its document. Gives null, as a step does that has an answer.
pending refuse(error e, response& out);

/// Gives an answer that is an error its body: what the app of the request's route makes of errors, or a problem
/// document.
void give_body(request&, response& out);

/// What awaiting `next` waits for. It holds no coroutine if there is none behind it.
class [[nodiscard]] next_call {
public:
    next_call(const step* first, request& req) noexcept : first_(first), request_(&req) {}
    /// For a rest that has been run already, and waits.
    explicit next_call(pending behind) noexcept : behind_(behind) {}
    next_call(next_call&& other) noexcept
        : first_(other.first_), request_(other.request_), behind_(std::exchange(other.behind_, {})) {}
    next_call& operator=(const next_call&) = delete;
    ~next_call() {
        if (behind_) behind_.destroy();
    }

    bool await_ready() noexcept {
        if (first_) behind_ = advance(first_, *request_, answer_);
        return !behind_;
    }
    template <class P>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiter) noexcept {
        behind_.promise().waiter = waiter;
        enter_request(behind_.promise().request = waiter.promise().request);
        return behind_;
    }
    response await_resume();

private:
    const step* first_ = nullptr;
    request* request_ = nullptr;
    pending behind_;
    response answer_;
};

}  // namespace apus::detail

namespace apus {

/// The rest of the chain, as a middleware sees it: `co_await next(req)` gives the response of what
/// is behind. It never fails: errors and exceptions have become problem documents by then, so the
/// code after it always runs. Valid until the middleware's task ends.
class next {
public:
    explicit next(const detail::step* first) noexcept : first_(first) {}
    detail::next_call operator()(request& req) const noexcept { return {first_, req}; }

private:
    const detail::step* first_;
};

}  // namespace apus
