// SPDX-License-Identifier: Apache-2.0
#include "http/exchange.hpp"

#include "base/ascii.hpp"
#include "base/thrown.hpp"
#include "http/body_limit.hpp"
#include "http/problem.hpp"
#include "runtime/activity.hpp"

#include <algorithm>
#include <utility>

namespace apus::http {

void service::add_error_body(exchange& x) noexcept { put_problem(x.answer); }

std::span<char> body_room(response& out) {
    const auto* doing = runtime::activity::here();
    const void* of = doing ? doing->request.load(std::memory_order_relaxed) : nullptr;
    if (!of) return {};
    auto& x = *static_cast<exchange*>(const_cast<void*>(of));
    return &x.answer == &out && x.plan && x.plan->only_handler ? x.via->body_room(x) : std::span<char>();
}

std::string_view exchange::field(std::string_view name) const noexcept {
    for (unsigned i = 0; i < head.field_count; ++i) {
        const auto& f = head.fields[i];
        if (f.name.size == name.size() && base::equal_ignoring_case(text(f.name), name)) return text(f.value);
    }
    return {};
}

template <class Handle>
bool exchange::begin(Handle task, const char* origin) {
    ended_.of = this;
    ended_.origin = origin;
    ended_.run = [](detail::completion* c) noexcept {
        exchange& x = *static_cast<ending*>(c)->of;
        apus::detail::leave_request();
        if (!x.starting_) x.via->finished(x);
    };
    task.promise().done = &ended_;
    task.promise().request = this;
    const runtime::working_for work(this);
    starting_ = true;
    task.resume();
    starting_ = false;
    return task.promise().outcome.has_value();
}

bool exchange::start(task<response> t) {
    running_ = t.release();
    if (!begin(running_, "handler")) return false;
    settle();
    return true;
}

bool exchange::start_producer() {
    auto& p = answer.producer();
    producing_ = p.run(p.self, in, out).release();
    return begin(producing_, "stream");
}

void exchange::settle() {
    auto& outcome = *running_.promise().outcome;
    if (!outcome) report_failure(outcome.error());
    answer = outcome ? std::move(*outcome) : response(std::move(outcome.error()));
    std::exchange(running_, {}).destroy();
}

void exchange::report_failure(const error& e) const noexcept {
    const runtime::working_for work(this);
    base::report_failure(e.status(), e.detail(), e.cause());
}

void exchange::report_failure(int status, std::string_view detail) const noexcept {
    const runtime::working_for work(this);
    base::report_failure(status, detail);
}

bool exchange::settle_producer() {
    const auto& outcome = *producing_.promise().outcome;
    const bool ok = outcome.has_value();
    if (!ok) report_failure(outcome.error());
    std::exchange(producing_, {}).destroy();
    return ok;
}

void exchange::collect(std::string_view piece) {
    append_piece(collected, piece, head.body == codec::http1::framing::sized ? head.content_length : 0);
}

void exchange::cancel() noexcept {
    if (!running_ && !producing_) return;
    const runtime::working_for work(this);  // destructors may log
    if (running_) std::exchange(running_, {}).destroy();
    if (producing_) std::exchange(producing_, {}).destroy();
}

void exchange::clear_texts() noexcept {
    constexpr std::size_t max_kept = 4096;
    for (auto* text : {&decoded_path, &decoded_captures, &address}) detail::clear_text(*text, max_kept);
    std::string().swap(collected);  // may be as large as a body
    trailers.reset();
}

void exchange::drop_values() noexcept {
    while (values) {
        auto* newest = std::exchange(values, values->next);
        newest->destroy(newest);
    }
}

}  // namespace apus::http
