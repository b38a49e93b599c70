// SPDX-License-Identifier: Apache-2.0
#include "http/body_limit.hpp"
#include "http/h2/connection.hpp"

#include <algorithm>
#include <limits>
#include <utility>

// One timer for each connection, as in HTTP/1.1: it mostly rings too early and looks what is due.

namespace apus::http::h2 {
namespace {

constexpr std::int32_t little_window = 1024;  // less of it is no room for a response

}  // namespace

void connection::watch_clock() {
    constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t next = never;
    for (const std::uint64_t due : {quiet_due_, rest_due_, frame_due_, handler_due_, window_due_, drain_due_})
        if (due) next = std::min(next, due);
    if (next != never && (!timer_.waits() || next < timer_.due)) core_.loop.timers().add(timer_, next);
}

void connection::tick(runtime::timer& t) noexcept { static_cast<ticking&>(t).of->tick(); }

void connection::tick() {
    const std::uint64_t now = core_.loop.now();
    const auto is_due = [now](std::uint64_t& due) { return due && now >= due && std::exchange(due, 0); };
    if (is_due(quiet_due_)) {
        if (phase_ == phase::leaving && !unsent()) return core_.loop.io().reset(*this);
        if (phase_ == phase::leaving) quiet_due_ = core_.due_in(patience);  // as long as it takes what there is
        else end_gracefully();  // no request has begun since: one in the midst of its head has the frame's deadline
    }
    if (is_due(rest_due_) && !open_ && streams_) session_memory::rest(streams_);
    if (is_due(drain_due_)) end_gracefully();
    if (is_due(frame_due_)) end_frame();
    // After a stall both may have passed: the first of them is the cause.
    if (window_due_ < handler_due_ && is_due(window_due_)) end_windows(now);
    if (is_due(handler_due_)) end_handlers(now);
    if (is_due(window_due_)) end_windows(now);
    if (phase_ == phase::open) flush();
    watch_clock();
}

// A frame that has begun must end: all others wait behind it, and the session holds what has come of
// it. That a DATA frame arrives fast enough is judged for its stream; here it must only go on.
void connection::watch_frame() {
    if (!walk_.inside()) return void(frame_due_ = 0);
    if (frame_due_ && frame_ == walk_.number() && !walk_.inside_data()) return;
    frame_ = walk_.number();
    frame_due_ = core_.due_in(core_.bounds.head);
    if (!timer_.waits() || frame_due_ < timer_.due) watch_clock();
}

void connection::end_frame() noexcept {
    if (paused_) return void(frame_due_ = core_.due_in(core_.bounds.head));  // the server does not read
    ++core_.counts.deadlines;
    nghttp2_session_terminate_session(session_, NGHTTP2_ENHANCE_YOUR_CALM);
}

void connection::expect_handler(h2_exchange& x) {
    const duration bound = handler_limit(x, core_.bounds);
    if (bound <= duration()) return;
    x.handler_due = core_.due_in(bound);
    if (!handler_due_ || x.handler_due < handler_due_) handler_due_ = x.handler_due;
    if (!timer_.waits() || handler_due_ < timer_.due) watch_clock();
}

void connection::end_handlers(std::uint64_t now) {
    for (auto* x = first_; x;) {
        auto* following = x->next;
        if (x->handler_due && now >= x->handler_due) {
            ++core_.counts.deadlines;
            x->finished = false;
            x->cancel();
            x->tell_failure(503, handler_too_slow);
            fail(*x, 503, handler_too_slow);
        } else if (x->handler_due && (!handler_due_ || x->handler_due < handler_due_)) {
            handler_due_ = x->handler_due;
        }
        x = following;
    }
}

// Whether the client is being waited for in the middle of a body.
bool connection::wants_body_bytes(const h2_exchange& x) const noexcept {
    if (x.client_done || x.tunnel || x.broken || x.withheld || paused_) return false;
    return x.reader || (x.plan && x.plan->body == body_mode::whole && !x.responded && !x.handling && !x.producing &&
                        !x.fields.extended_connect());
}

// Whether it has its response, and could go on with its request for ever.
bool connection::lingers(const h2_exchange& x) noexcept { return x.ended && !x.client_done; }

// Whether the client has to do something for this stream, and does it at a rate.
bool connection::waits(const h2_exchange& x) const noexcept { return x.owing || wants_body_bytes(x) || lingers(x); }

// Each stream has a window of its own, so that what happens on others moves no deadline of it.
void connection::begin_window(h2_exchange& x) noexcept {
    x.window = x.waits_since = core_.loop.now();
    x.in = x.out = 0;
    x.waited = 0;
    x.judged_body = wants_body_bytes(x);
    x.judged_response = x.owing || lingers(x);
    expect_window();
}

// No window that began before ends later than one that begins now.
void connection::expect_window() noexcept {
    if (window_due_) return;
    window_due_ = core_.due_in(core_.bounds.rate_window);
    if (!timer_.waits() || window_due_ < timer_.due) watch_clock();
}

// Bytes wait for the client, or for the socket.
void connection::watch_sending() noexcept {
    if (unsent() && !socket_window_) {
        socket_window_ = core_.loop.now();
        out_ = 0;
        expect_window();
    }
    if (!owing_) return;
    for (auto* x = first_; x; x = x->next)
        if (x->owing && !x->window) begin_window(*x);
}

void connection::end_windows(std::uint64_t now) {
    const auto window = static_cast<std::uint64_t>(core_.bounds.rate_window.milliseconds());
    if (socket_window_ && now >= socket_window_ + window) {
        if (unsent() && std::uint64_t{out_} * 1000 < core_.bounds.drain_rate * window) {
            ++core_.counts.deadlines;
            return close();
        }
        socket_window_ = 0;
    }
    if (phase_ == phase::open && client_ended_ && peer_has_left()) return close();
    watch_sending();
    std::uint64_t next = socket_window_;
    if (phase_ == phase::open && client_ended_ && !next) next = now;  // asks again
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

// What a client that gives no window makes us keep is bounded by this, as are bodies that hardly come.
void connection::judge(h2_exchange& x, std::uint64_t window) {
    if (x.judged_response && lingers(x)) return reset(x, NGHTTP2_NO_ERROR);
    const bool has_no_window = nghttp2_session_get_remote_window_size(session_) < little_window ||
                               nghttp2_session_get_stream_remote_window_size(session_, x.stream) < little_window;
    if (x.judged_response && x.owing && has_no_window &&
        std::uint64_t{x.out} * 1000 < core_.bounds.drain_rate * window) {
        ++core_.counts.deadlines;
        ++core_.counts.h2_windows_held;
        return reset(x, NGHTTP2_CANCEL);
    }
    if (!x.judged_body || !wants_body_bytes(x) || std::uint64_t{x.in} * 1000 >= x.body_rate * window) return;
    // A handler that did other things for most of the window has no say in how fast its client is.
    if (x.reader && (x.waited + core_.loop.now() - x.waits_since) * 2 < window) return;
    ++core_.counts.deadlines;
    x.cancel();
    fail(x, 408, "the body of the request arrives too slowly");
}

}  // namespace apus::http::h2
