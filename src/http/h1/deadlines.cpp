// SPDX-License-Identifier: Apache-2.0
#include "http/body_limit.hpp"
#include "http/h1/connection.hpp"

#include <algorithm>
#include <limits>
#include <utility>

// One timer for each connection. It is set when it must ring earlier than it is set for; it often
// rings too early, looks what is really due, and is set anew. So a request costs it nothing.

namespace apus::http::h1 {

void connection::expect_by(std::uint64_t due) {
    due_ = due;
    windowed_ = false;
    watch_clock();
}

void connection::watch_clock() {
    constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t next = due_ ? due_ : never;
    if (x_ && x_->handler_due) next = std::min(next, x_->handler_due);
    if (next == never) return;
    if (!timer_.waits() || next < timer_.due) core_.loop.timers().add(timer_, next);
}

void connection::tick(runtime::timer& t) noexcept { static_cast<ticking&>(t).of->tick(); }

void connection::tick() {
    const std::uint64_t now = core_.loop.now();
    // After a stall both may have passed: the first of them is the cause.
    const bool window_first = windowed_ && due_ && x_ && due_ < x_->handler_due;
    if (x_ && x_->handler_due && now >= x_->handler_due && !window_first) {
        ++core_.counts.deadlines;
        begin_batch();
        x_->handler_due = 0;
        x_->finished = false;
        x_->cancel();
        x_->tell_failure(503, handler_too_slow);
        fail(503, handler_too_slow);
        return send_batch();
    }
    if (!due_ || now < due_) return watch_clock();
    if (windowed_) return end_window();
    switch (phase_) {
        case phase::idle:
            // What the client has not read yet is given the time that its rate allows.
            return unsent() ? begin_window() : close();
        case phase::head:
            ++core_.counts.deadlines;
            begin_batch();
            fail(408, "the head of the request did not arrive in time");
            return send_batch();
        case phase::leaving: return core_.loop.io().reset(*this);
        case phase::busy: due_ = 0; return watch_clock();
    }
}

// Whether the client is being waited for in the middle of a body.
bool connection::wants_body_bytes() const noexcept {
    if (!x_ || x_->decoder.ended() || tunnels_ || core_.guard.holds_back(*this)) return false;
    if (x_->responded && !x_->producing) return true;
    return x_->reader || (x_->plan && x_->plan->body == body_mode::whole && !x_->handling && !x_->producing);
}

void connection::begin_window() {
    in_ = out_ = 0;
    if (x_) x_->waited = 0, x_->waits_since = core_.loop.now();
    due_ = core_.due_in(core_.bounds.rate_window);
    windowed_ = true;
    watch_clock();
}

// A window that runs already is that of something else, and goes on: of a rate that it does not measure
// so far, it takes the time before for well used.
void connection::await_body() {
    if (!windowed_) return begin_window();
    in_ = credit(x_->body_rate);
    x_->waited = 0;
    x_->waits_since = core_.loop.now();
}

void connection::await_drain() {
    if (!windowed_) begin_window();
    else if (!unsent()) out_ = credit(core_.bounds.drain_rate);
}

std::uint32_t connection::credit(std::uint32_t rate) const noexcept {
    const auto window = static_cast<std::uint64_t>(core_.bounds.rate_window.milliseconds());
    const std::uint64_t left = due_ > core_.loop.now() ? due_ - core_.loop.now() : 0;
    const std::uint64_t gone = window - std::min(window, left);
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>((rate * gone + 999) / 1000, std::numeric_limits<std::uint32_t>::max()));
}

void connection::end_window() {
    if (client_ended_ && x_ && peer_has_left()) return close();
    const auto window = static_cast<std::uint64_t>(core_.bounds.rate_window.milliseconds());
    // A handler that did other things for most of the window has no say in how fast its client is.
    const bool judged = x_ && (!x_->reader || (x_->waited + core_.loop.now() - x_->waits_since) * 2 >= window);
    const bool starves = judged && wants_body_bytes() && std::uint64_t{in_} * 1000 < x_->body_rate * window;
    const bool clogs = unsent() && std::uint64_t{out_} * 1000 < core_.bounds.drain_rate * window;
    if (clogs || (starves && x_->responded)) {
        ++core_.counts.deadlines;
        if (clogs) core_.loop.io().reset(*this);
        if (phase_ == phase::leaving) return;
        return x_ && x_->producing ? break_off() : close();
    }
    if (starves) {
        ++core_.counts.deadlines;
        begin_batch();
        x_->cancel();
        fail(408, "the body of the request arrives too slowly");
        return send_batch();
    }
    if (wants_body_bytes() || unsent() || (client_ended_ && x_)) return begin_window();
    if (phase_ == phase::busy) due_ = 0;
    else due_ = core_.due_in(phase_ == phase::leaving ? patience : core_.bounds.idle);
    windowed_ = false;
    watch_clock();
}

}  // namespace apus::http::h1
