// SPDX-License-Identifier: Apache-2.0
#include "base/thrown.hpp"
#include "http/problem.hpp"

#include <apus/detail/chain.hpp>

#include <utility>

namespace apus::detail {

pending refuse(const error& e, response& out) {
    base::tell_failure(e.status(), e.detail());
    out = http::problem(e);
    return {};
}

pending advance(const step* first, request& req, response& out) noexcept {
    try {
        return first->run(first, req, out);
    } catch (...) {
        const error e = error_from_current_exception();
        try {
            return refuse(e, out);
        } catch (...) {
            // No memory even for a problem document: the status says what it can.
            out.clear();
            out.status(e.status());
            return {};
        }
    }
}

response next_call::await_resume() {
    if (!behind_) return std::move(answer_);
    auto& outcome = *behind_.promise().outcome;
    if (outcome) return *std::move(outcome);
    refuse(outcome.error(), answer_);
    return std::move(answer_);
}

}  // namespace apus::detail
