// SPDX-License-Identifier: Apache-2.0
#include "base/thrown.hpp"
#include "http/exchange.hpp"

#include <apus/detail/chain.hpp>

#include <utility>

namespace apus::detail {

pending refuse(error e, response& out) {
    base::tell_failure(e.status(), e.detail(), e.cause());
    out = response(std::move(e));
    return {};
}

pending advance(const step* first, request& req, response& out) noexcept {
    int status = 0;
    try {
        try {
            const pending waiting = first->run(first, req, out);
            if (!waiting && out.refusal()) [[unlikely]]
                give_body(req, out);
            return waiting;
        } catch (...) {
            error e = error_from_current_exception();
            status = e.status();
            refuse(std::move(e), out);
            give_body(req, out);
        }
    } catch (...) {
        // No memory even for a problem document: the status says what it can.
        out.clear();
        out.status(status);
    }
    return {};
}

response next_call::await_resume() {
    if (!behind_) return std::move(answer_);
    auto& outcome = *behind_.promise().outcome;
    if (outcome) answer_ = *std::move(outcome);
    else refuse(std::move(outcome.error()), answer_);
    // Without a request the answer gets its body further out.
    const void* const of = behind_.promise().request;
    if (answer_.refusal() && of) give_body(static_cast<http::exchange*>(const_cast<void*>(of))->in, answer_);
    return std::move(answer_);
}

}  // namespace apus::detail
