// SPDX-License-Identifier: Apache-2.0
#include <apus/timeout.hpp>

#include "runtime/loop.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace apus {
namespace {

// Runs the handler, and cancels it if it has not finished at the timeout.
class bounded_call : runtime::timer {
public:
    using awaits_task = void;

    bounded_call(pending_response behind, duration after) : behind_(std::move(behind)), after_(after) {
        fire = [](runtime::timer& t) noexcept {
            auto& self = static_cast<bounded_call&>(t);
            self.behind_.reset();
            self.waiter_.resume();
        };
    }
    bounded_call(const bounded_call&) = delete;
    bounded_call& operator=(const bounded_call&) = delete;
    ~bounded_call() {
        if (waits()) runtime::loop::current().timers().remove(*this);
    }

    bool await_ready() noexcept { return behind_->await_ready(); }
    template <class P>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiter) noexcept {
        auto& loop = runtime::loop::current();
        waiter_ = waiter;
        loop.timers().add(*this, loop.due_in(after_) + 1);
        return behind_->await_suspend(waiter);
    }
    std::optional<response> await_resume() {
        if (!behind_) return {};
        return behind_->await_resume();
    }

private:
    std::optional<pending_response> behind_;
    duration after_;
    std::coroutine_handle<> waiter_;
};

task<response> bounded(pending_response behind, duration after, int status) {
    bounded_call call(std::move(behind), after);
    auto found = co_await call;
    if (!found) co_await fail(status, "the response took too long").expose();
    co_return *std::move(found);
}

}  // namespace

timeout::timeout(duration after, int status) : after_(after), status_(status) {
    if (after < milliseconds(1)) throw std::invalid_argument("timeout: the time must be at least 1 ms");
    if (status != 503 && status != 504)
        throw std::invalid_argument("timeout: the status is " + std::to_string(status) + ", and must be 503 or 504");
}

pending_response timeout::operator()(request& req, response& out, next_handler rest) const {
    pending_response behind = rest.run(req, out);
    if (behind) return bounded(std::move(behind), after_, status_);
    return behind;
}

}  // namespace apus
