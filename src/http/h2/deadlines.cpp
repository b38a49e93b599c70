// SPDX-License-Identifier: Apache-2.0
#include "http/h2/protocol.hpp"

#include <algorithm>
#include <limits>
#include <utility>

// One timer per connection, as in HTTP/1.1. When the timer fires, all deadlines are checked, and the timer is set
// again. Usually no deadline has passed yet.

namespace apus::http::h2 {
namespace {

constexpr std::int32_t little_window = 1024;  // bytes; a smaller window counts as blocking the response

}  // namespace

void protocol::watch_clock() {
    constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t next = never;
    for (const std::uint64_t due : {idle_due_, rest_due_, frame_due_, handler_due_, window_due_, drain_due_})
        if (due) next = std::min(next, due);
    if (next != never && (!timer::waits() || next < timer::due)) core_.loop.timers().add(*this, next);
}

void protocol::tick(runtime::timer& t) noexcept { static_cast<protocol&>(t).tick(); }

void protocol::tick() {
    const std::uint64_t now = core_.loop.now();
    const auto is_due = [now](std::uint64_t& due) { return due && now >= due && std::exchange(due, 0); };
    if (is_due(idle_due_)) {
        if (phase_ == phase::leaving && !connection_.unsent()) return core_.loop.io().reset(connection_);
        // While output is unsent, the client's rate is checked instead, so this deadline is renewed.
        if (phase_ == phase::leaving) idle_due_ = core_.due_in(linger_timeout);
        else end_gracefully();  // no request has begun; an incomplete head has its own deadline
    }
    if (is_due(rest_due_) && !open_) rest();
    if (is_due(drain_due_)) end_gracefully();
    if (is_due(frame_due_)) end_frame();
    // After a stall of the loop, the deadline of a handler and the end of a rate window may both have passed. The
    // earlier one is handled first.
    if (window_due_ < handler_due_ && is_due(window_due_)) end_windows(now);
    if (is_due(handler_due_)) end_handlers(now);
    if (is_due(window_due_)) end_windows(now);
    if (phase_ == phase::open) flush();
    watch_clock();
}

// Sets the deadline of an incomplete frame, which blocks all other frames and occupies memory. Received bytes renew
// this deadline only in a DATA frame of an open stream, whose own rate is checked. The stream of a skipped DATA frame
// has been closed and has no rate.
void protocol::watch_frame() {
    if (!reader_.inside() || terminated_) return void(frame_due_ = 0);
    if (frame_due_ && frame_ == reader_.number() && !(reader_.inside_data() && data_)) return;
    frame_ = reader_.number();
    frame_due_ = core_.due_in(core_.bounds.head);
    if (!timer::waits() || frame_due_ < timer::due) watch_clock();
}

void protocol::end_frame() noexcept {
    if (paused_) return void(frame_due_ = core_.due_in(core_.bounds.head));  // the server has paused reading
    ++core_.counts.deadlines;
    terminate(error_code::enhance_your_calm);
}

void protocol::await_task(served_exchange& x) {
    settle(static_cast<h2_exchange&>(x));
    if (!x.handler_due) return;
    if (!handler_due_ || x.handler_due < handler_due_) handler_due_ = x.handler_due;
    if (!timer::waits() || handler_due_ < timer::due) watch_clock();
}

void protocol::end_handlers(std::uint64_t now) {
    for (auto* x = first_; x;) {
        auto* following = x->next;
        if (x->handler_due && now >= x->handler_due) {
            expire_handler(*x);
        } else if (x->handler_due && (!handler_due_ || x->handler_due < handler_due_)) {
            handler_due_ = x->handler_due;
        }
        x = following;
    }
}

// Returns true if the server is waiting for bytes of this body from the client.
bool protocol::wants_body_bytes(const h2_exchange& x) const noexcept {
    if (x.client_done || x.tunnel || x.broken || x.deferred_window || paused_) return false;
    return x.reader || (x.awaits_whole_body() && !x.fields.extended_connect());
}

// Returns true if the response is sent but the client has not ended its request.
bool protocol::lingers(const h2_exchange& x) noexcept { return x.ended && !x.client_done; }

// Returns true if the server waits for the client to send or receive on this stream. Then the client's rate is checked.
bool protocol::waits(const h2_exchange& x) const noexcept {
    return x.has_unsent_data || wants_body_bytes(x) || lingers(x);
}

// Each stream has its own rate window, so that events on other streams do not change its deadline.
void protocol::begin_window(h2_exchange& x) noexcept {
    x.window = x.waits_since = core_.loop.now();
    x.in = x.out = 0;
    x.waited = 0;
    x.judged_body = wants_body_bytes(x);
    x.judged_response = x.has_unsent_data || lingers(x);
    expect_window();
}

// Sets the end of a rate window that begins now. All windows have equal length, so an earlier deadline is kept.
void protocol::expect_window() noexcept {
    if (window_due_) return;
    window_due_ = core_.due_in(core_.bounds.rate_window);
    if (!timer::waits() || window_due_ < timer::due) watch_clock();
}

// Begins rate windows for output that waits for the socket or for flow-control windows.
void protocol::watch_sending() noexcept {
    if (connection_.unsent() && !socket_window_) {
        socket_window_ = core_.loop.now();
        out_bytes_ = 0;
        expect_window();
    }
    if (!std::exchange(output_unwatched_, false)) return;
    for (auto* x = first_; x; x = x->next)
        if (x->has_unsent_data && !x->window) begin_window(*x);
}

void protocol::end_windows(std::uint64_t now) {
    const auto window = static_cast<std::uint64_t>(core_.bounds.rate_window.milliseconds());
    if (socket_window_ && now >= socket_window_ + window) {
        if (connection_.unsent() && std::uint64_t{out_bytes_} * 1000 < core_.bounds.drain_rate * window) {
            ++core_.counts.rates_refused;
            return close_connection();
        }
        socket_window_ = 0;
    }
    if (phase_ == phase::open && client_ended_ && connection_.peer_disconnected()) return close_connection();
    watch_sending();
    std::uint64_t next = socket_window_;
    if (phase_ == phase::open && client_ended_ && !next) next = now;  // checks the peer again after another window
    for (auto* x = first_; x;) {
        auto* following = x->next;
        if (x->window && now >= x->window + window) {
            judge(*x, window);
            x->window = 0;
            if (waits(*x)) begin_window(*x);
        }
        if (x->window && (!next || x->window < next)) next = x->window;
        x = following;
    }
    window_due_ = next ? next + window : 0;
}

// Called at the end of a stream's rate window. Resets the stream if the client sent WINDOW_UPDATE or the body too
// slowly, so that such a client cannot occupy memory for long. Also resets the stream if `judged_response` is set and,
// by now, the response has ended but the request has not.
void protocol::judge(h2_exchange& x, std::uint64_t window) {
    if (x.judged_response && lingers(x)) return reset(x, error_code::no_error);
    const bool has_no_window = send_window_ < little_window || x.send_window < little_window;
    if (x.judged_response && x.has_unsent_data && has_no_window &&
        std::uint64_t{x.out} * 1000 < core_.bounds.drain_rate * window) {
        ++core_.counts.rates_refused;
        ++core_.counts.h2_windows_held;
        return reset(x, error_code::cancel);
    }
    if (!x.judged_body || !wants_body_bytes(x) || std::uint64_t{x.in} * 1000 >= x.body_rate * window) return;
    // If the handler did not wait for the body for at least half of the window, the client's rate is not checked.
    if (x.reader && (x.waited + core_.loop.now() - x.waits_since) * 2 < window) return;
    fail_slow_body(x);
}

}  // namespace apus::http::h2
