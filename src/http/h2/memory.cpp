// SPDX-License-Identifier: Apache-2.0
#include "http/h2/connection.hpp"

#include <algorithm>

// What the streams of a connection hold together, and what becomes of them where it is too much: first
// their clients get no window back, but for the oldest body; then handlers wait until answers have gone;
// then bodies are refused.

namespace apus::http::h2 {
namespace {

constexpr std::size_t session_memory_most = 8 * 1024;  // of a session without streams
constexpr std::size_t little = 16 * 1024;              // of a stream, which does not matter

}  // namespace

// Bytes of the connection's bound.
std::size_t connection::bodies_most(unsigned eighths) const noexcept {
    return static_cast<std::size_t>(core_.bounds.connection_memory / 8 * eighths);
}

void connection::settle(h2_exchange& x) noexcept {
    const std::size_t now = x.memory();
    constexpr std::size_t much = 64 * 1024;  // is on the account at once, the rest when the event is over
    bodies_ += now - x.held;
    x.held = now;
    if (bodies_ > held() + much) settle_memory();
}

void connection::settle_memory() noexcept {
    hold(core_, idle_memory() + session_memory_most + bodies_ + output_memory());
}

// Whether it is the oldest of those whose body is still to come. That one always goes on, so that one of
// them ends.
bool connection::is_first_body(const h2_exchange& x) const noexcept {
    for (const auto* other = x.next; other; other = other->next)
        if (!other->client_done && !other->responded && other->held > little) return false;
    return true;
}

// Whether its client gets no window for what it has sent.
bool connection::withholds(const h2_exchange& x) const noexcept {
    if (x.held <= little) return false;
    if (core_.guard.holds_back(*this)) return true;
    return bodies_ + output_memory() > bodies_most(4) && !is_first_body(x);
}

void connection::give_withheld() noexcept {
    if (core_.guard.holds_back(*this)) return;
    const bool all = bodies_ + output_memory() <= bodies_most(4);
    for (auto* x = first_; x; x = x->next) {
        if (!x->withheld || (!all && !is_first_body(*x))) continue;
        withheld_ -= x->withheld;
        nghttp2_session_consume_stream(session_, x->stream, std::exchange(x->withheld, 0));
    }
    watch_bodies();
}

// The rates of clients that were kept waiting are judged again.
void connection::watch_bodies() noexcept {
    for (auto* x = first_; x; x = x->next)
        if (!x->window && wants_body_bytes(*x)) begin_window(*x);
}

// Whether there is room for what the request needs beside its head. False: it is refused.
bool connection::has_memory(h2_exchange& x) {
    const bool tunnel = x.fields.extended_connect(), body = !x.body_ended && x.plan->body == body_mode::whole;
    std::uint64_t more = tunnel ? memory_guard::upgrade_memory : 0;
    if (body) more = x.fields.length_given() ? x.head.content_length : memory_guard::small_request + 1;
    const bool over = more > memory_guard::small_request && bodies_ + output_memory() > bodies_most(8);
    const bool held_back = core_.guard.holds_back(*this) && core_.guard.is_refusing();
    if (!over && !held_back && !core_.guard.refuses_answer(*x.plan) && !core_.guard.refuses(*this, more)) return true;
    refuse(x);
    return false;
}

void connection::refuse(h2_exchange& x) {
    ++core_.counts.memory_refusals;
    std::string().swap(x.collected);
    // An answer that waits for window would hold memory itself.
    if (nghttp2_session_get_stream_remote_window_size(session_, x.stream) <= 0) reset(x, NGHTTP2_REFUSED_STREAM);
    else fail(x, memory_guard::refusal());
    settle(x);
}

// Whether the handler has to wait: its answer would come on top of too many that the client has not taken,
// or there is no memory at all.
bool connection::postpone(h2_exchange& x) noexcept {
    const bool waits = owing_ && (bodies_ + output_memory() > bodies_most(8) || core_.guard.holds_back(*this));
    if (!waits && !core_.guard.exhausted()) return false;
    x.postponed = true;
    ++postponed_;
    settle(x);
    return true;
}

void connection::run_postponed() {
    const auto may_run = [this] {
        return !core_.guard.exhausted() &&
               (!owing_ || (bodies_ + output_memory() <= bodies_most(6) && !core_.guard.holds_back(*this)));
    };
    while (postponed_ && may_run()) {
        h2_exchange* oldest = nullptr;
        for (auto* x = first_; x; x = x->next)
            if (x->postponed) oldest = x;
        oldest->postponed = false;
        --postponed_;
        if (!oldest->responded) run(*oldest);
        settle(*oldest);
    }
}

void connection::review_input() {
    if (phase_ == phase::open && !in_session_) flush();
}

}  // namespace apus::http::h2
