// SPDX-License-Identifier: Apache-2.0
#include "base/thrown.hpp"
#include "http/exchange.hpp"

#include <apus/detail/answer_task.hpp>
#include <apus/middleware.hpp>

#include <stdexcept>
#include <utility>

namespace apus::detail {

pending refuse(error e, response& out) {
    base::report_failure(e.status(), e.detail(), e.cause());
    out = response(std::move(e));
    return {};
}

namespace {

// Converts the exception that is being handled to a response. A separate function, so that requests without an
// exception do not pay for its objects in memory.
[[gnu::noinline]] void put_exception(request& req, response& out) noexcept {
    int status = 0;
    try {
        error e = error_from_current_exception();
        status = e.status();
        refuse(std::move(e), out);
        add_error_body(req, out);
    } catch (...) {
        // Out of memory: only the status is sent.
        out.clear();
        out.status(status);
    }
}

}  // namespace

pending advance(const step* first, request& req, response& out) noexcept {
    try {
        const pending waiting = first->run(first, req, out);
        if (!waiting && out.refusal()) [[unlikely]]
            add_error_body(req, out);
        return waiting;
    } catch (...) {
        put_exception(req, out);
        return {};
    }
}

response response_of(pending ended) {
    response made;
    auto& outcome = *ended.promise().outcome;
    if (outcome) made = *std::move(outcome);
    else refuse(std::move(outcome.error()), made);
    // Without a request, the body is added by an outer step.
    const void* const of = ended.promise().request;
    if (made.refusal() && of) add_error_body(static_cast<http::exchange*>(const_cast<void*>(of))->in, made);
    return made;
}

namespace {

struct typed_awaiter {
    using awaits_task = void;
    const typed_task& of;

    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(pending waiter) const noexcept {
        promise_base& promise = of.promise();
        promise.set_waiter(waiter);
        if (promise.request) enter_request(promise.request);
        return of.frame();
    }
    void await_resume() const noexcept {}
};

}  // namespace

task<response> answer_later(typed_task work) {
    typed_awaiter ended{work};
    co_await ended;
    response out;
    if (error* why = work.put(out)) co_await failure(std::move(*why));
    co_return out;
}

}  // namespace apus::detail

namespace apus {

pending_response::pending_response(failure why) : why_(new error(std::move(why.error()))) {}

response pending_response::await_resume() {
    if (!waiting_)
        throw std::logic_error("a pending_response without a task must not be awaited: the response is in `out`");
    return detail::response_of(waiting_);
}

void pending_response::put_error(response& out) { detail::refuse(std::move(*why_), out); }
void pending_response::drop_error() noexcept { delete why_; }

}  // namespace apus
