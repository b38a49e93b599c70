// SPDX-License-Identifier: Apache-2.0
#include "http/background_trace.hpp"

#include "runtime/activity.hpp"

#include <exception>
#include <utility>

namespace apus::http {
namespace {

/// Awaits a task that runs with another exchange than its waiter.
class within {
public:
    using awaits_task = void;

    within(task<> work, exchange& x) noexcept : inner_(work.release()), during_(&x) {}
    within(const within&) = delete;
    within& operator=(const within&) = delete;
    ~within() {
        const runtime::working_for work(during_);  // destructors may log
        inner_.destroy();
    }

    bool await_ready() const noexcept { return false; }
    template <class P>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiter) noexcept {
        auto& promise = inner_.promise();
        promise.set_waiter(waiter);
        before_ = promise.request;
        promise.request = during_;
        apus::detail::enter_request(during_);
        return inner_;
    }
    result<void> await_resume() noexcept {
        apus::detail::leave_request();
        if (before_) apus::detail::enter_request(before_);
        return std::move(*inner_.promise().outcome);
    }

private:
    task<>::handle inner_;
    const void* during_;
    const void* before_ = nullptr;
};

}  // namespace

background_trace::background_trace(tracing::recorder& by, const codec::trace_context::parent* caller,
                                   std::string_view name, tracing::span_kind kind) {
    static_cast<codec::http1::head_facts&>(x_.head) = {};
    x_.trace = new tracing::trace(by, caller, !caller && by.samples());
    if (x_.trace->is_recorded()) x_.trace->begin(name, kind);
}

background_trace::~background_trace() { end("cancelled"); }

task<> background_trace::run(task<> work) {
    within running(std::move(work), x_);
    auto done = co_await running;
    co_await std::move(done);
}

void background_trace::end(std::string_view error_type, std::string_view why) noexcept {
    if (!root()) return;
    auto& data = root()->data;
    data.failed = !error_type.empty();
    try {
        if (data.failed) data.attributes.add({"error.type", error_type});
        data.why = why.substr(0, tracing::max_text);
    } catch (const std::exception&) {
        data.failed = true;  // out of memory; the span is incomplete
    }
    x_.trace->end_root(data.failed);
}

}  // namespace apus::http
