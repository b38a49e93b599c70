// SPDX-License-Identifier: Apache-2.0
#include "http/h1/protocol.hpp"

#include <algorithm>
#include <limits>
#include <utility>

// One timer per connection. A deadline changes the timer only if the timer would fire too late. If the timer fires
// before the deadline, it is set again. So most requests do not change the timer.

namespace apus::http::h1 {

void protocol::set_deadline(std::uint64_t due) {
    due_ = due;
    windowed_ = false;
    watch_clock();
}

void protocol::watch_clock() {
    constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t next = due_ ? due_ : never;
    if (x_ && x_->handler_due) next = std::min(next, x_->handler_due);
    if (next == never) return;
    if (!timer::waits() || next < timer::due) core_.loop.timers().add(*this, next);
}

void protocol::tick(runtime::timer& t) noexcept { static_cast<protocol&>(t).tick(); }

void protocol::tick() {
    const std::uint64_t now = core_.loop.now();
    // After a stall of the loop, the handler's deadline and the end of the rate window may both have passed. Then only
    // the earlier one takes effect.
    const bool window_first = windowed_ && due_ && x_ && due_ < x_->handler_due;
    if (x_ && x_->handler_due && now >= x_->handler_due && !window_first) {
        begin_batch();
        expire_handler(*x_);
        return send_batch();
    }
    if (!due_ || now < due_) return watch_clock();
    if (windowed_) return end_window();
    switch (phase_) {
        case phase::idle:
            // While output is unsent, the client's minimum rate applies instead of the idle timeout.
            return connection_.unsent() ? begin_window() : close_connection();
        case phase::head:
            ++core_.counts.deadlines;
            begin_batch();
            fail_head(408, "the head of the request did not arrive in time");
            return send_batch();
        case phase::leaving: return core_.loop.io().reset(connection_);
        case phase::busy: due_ = 0; return watch_clock();
        case phase::replaced: return;
    }
}

// Returns true if the server is waiting for bytes of a body from the client.
bool protocol::wants_body_bytes() const noexcept {
    if (!x_ || x_->decoder.ended() || x_->tunnel || core_.guard.throttles(connection_)) return false;
    return x_->at == stage::complete || x_->reader || x_->awaits_whole_body();
}

void protocol::begin_window() {
    in_ = out_ = 0;
    if (x_) x_->waited = 0, x_->waits_since = core_.loop.now();
    due_ = core_.due_in(core_.bounds.rate_window);
    windowed_ = true;
    watch_clock();
}

// Starts to measure the rate of the body. A window that is already running for another reason continues. For the time
// that has elapsed in this window, the body counts as received at the required rate.
void protocol::await_body() {
    if (!windowed_) return begin_window();
    in_ = credit(x_->body_rate);
    x_->waited = 0;
    x_->waits_since = core_.loop.now();
}

void protocol::await_drain() {
    if (!windowed_) begin_window();
    else if (!connection_.unsent()) out_ = credit(core_.bounds.drain_rate);
}

std::uint32_t protocol::credit(std::uint32_t rate) const noexcept {
    const auto window = static_cast<std::uint64_t>(core_.bounds.rate_window.milliseconds());
    const std::uint64_t left = due_ > core_.loop.now() ? due_ - core_.loop.now() : 0;
    const std::uint64_t gone = window - std::min(window, left);
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>((rate * gone + 999) / 1000, std::numeric_limits<std::uint32_t>::max()));
}

void protocol::end_window() {
    if (client_ended_ && x_ && connection_.peer_disconnected()) return close_connection();
    const auto window = static_cast<std::uint64_t>(core_.bounds.rate_window.milliseconds());
    // If the handler did not wait for the body for at least half of the window, the client's rate is not checked.
    const bool judged = x_ && (!x_->reader || (x_->waited + core_.loop.now() - x_->waits_since) * 2 >= window);
    const bool starves = judged && wants_body_bytes() && std::uint64_t{in_} * 1000 < x_->body_rate * window;
    const bool clogs = connection_.unsent() && std::uint64_t{out_} * 1000 < core_.bounds.drain_rate * window;
    if (clogs || (starves && x_->responded())) {
        ++core_.counts.rates_refused;
        if (clogs) core_.loop.io().reset(connection_);
        if (phase_ == phase::leaving) return;
        return x_ && x_->at == stage::producing ? abort_response(*x_) : close_connection();
    }
    if (starves) {
        begin_batch();
        fail_slow_body(*x_);
        return send_batch();
    }
    if (wants_body_bytes() || connection_.unsent() || (client_ended_ && x_)) return begin_window();
    if (phase_ == phase::busy) due_ = 0;
    else due_ = phase_ == phase::leaving ? core_.due_in(linger_timeout) : core_.idle_due();
    windowed_ = false;
    watch_clock();
}

}  // namespace apus::http::h1
