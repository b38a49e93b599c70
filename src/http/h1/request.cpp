// SPDX-License-Identifier: Apache-2.0
#include "http/h1/connection.hpp"
#include "http/problem.hpp"

#include <cstring>
#include <new>
#include <utility>

// An exchange from its head to its answer.

namespace apus::http::h1 {

void connection::begin(std::size_t head_size) {
    auto& x = *x_;
    x.bytes = core_.unread.data();
    // A tunnel keeps its request for as long as it lasts: that takes no more than the head's own size.
    if (x.head.wants_upgrade) copy_head(head_size);
    core_.unread.remove_prefix(head_size);
    x.via = this;
    x.decoder = body_decoder(x.head);
    x.body_ended = x.decoder.ended();
    if (x.body_ended && fetched() != runtime::intake::as_it_comes)
        core_.loop.io().fetch(*this, runtime::intake::as_it_comes);
    x.body_bytes = x.response_bytes = x.handler_due = x.waited = 0;
    x.broken = nullptr;
    x.handling = x.producing = x.finished = x.responded = x.chunks_response = false;
    x.continue_due = x.head.expects_continue && !x.body_ended;
    if (core_.log_access) x.started = core_.readable_since(fd());
    ++core_.counts.requests;
    ++requests_;
    x.keeps_alive = x.head.keep_alive && !core_.draining &&
                    (!core_.bounds.requests_per_connection || requests_ < core_.bounds.requests_per_connection);
    phase_ = phase::busy;

    bool routed = core_.app.route(x);
    if (!x.body_ended && !accepts_body()) return;
    if (!routed) return answered();
    if (!has_memory()) return;
    if (x.plan->body != body_mode::whole || x.body_ended) return run();
    if (x.continue_due && core_.unread.empty()) say_continue();
    await_body();
}

void connection::copy_head(std::size_t size) {
    auto& x = *x_;
    x.head_buffer = {static_cast<char*>(::operator new(size)), size};
    std::memcpy(x.head_buffer.bytes, x.bytes, size);
    x.bytes = x.head_buffer.bytes;
}

// Sets what the route allows its bodies. False: this one is refused for the size it announces.
bool connection::accepts_body() {
    auto& x = *x_;
    set_body_limits(x, x.body_rate, core_.bounds);
    if (x.head.body != codec::http1::framing::sized || x.head.content_length <= x.max_body) return true;
    ++core_.counts.refusals;
    fail(body_too_large.status, body_too_large.reason);
    return false;
}

// False: what the request needs beside its head would be too much now, and it is refused.
bool connection::has_memory() {
    auto& x = *x_;
    std::uint64_t more = x.head.wants_upgrade ? memory_guard::upgrade_memory : 0;
    if (!x.body_ended && x.plan->body == body_mode::whole) {
        const bool sized = x.head.body == codec::http1::framing::sized;
        more = sized ? x.head.content_length : memory_guard::small_request + 1;
        if (sized && more <= core_.unread.size()) more = 0;  // it is there
    }
    if (!core_.guard.refuses_answer(*x.plan) && !core_.guard.refuses(*this, more)) return true;
    ++core_.counts.memory_refusals;
    fail(memory_guard::refusal());
    return false;
}

void connection::run() {
    auto& x = *x_;
    if (core_.app.run(x)) return answered();
    x.handling = true;
    const duration bound = handler_limit(x, core_.bounds);
    if (bound > duration()) x.handler_due = core_.due_in(bound);
    // A window that was begun for the body ends by itself, and nothing is asked of it then.
    if (!windowed_) due_ = 0;
    watch_clock();
}

// The answer is there: sends it, and looks at what is left of the request.
void connection::answered() {
    auto& x = *x_;
    x.handling = false;
    x.handler_due = 0;
    if (x.answer.streams()) return respond_in_pieces();
    // A body whose client waits for leave to send it may or may not come now: nobody can tell
    // where the next request would begin (RFC 9110, 10.1.1).
    if (x.continue_due) x.keeps_alive = false;
    respond();
    release();
}

// The exchange is over, unless its body has still to be skipped.
void connection::release() {
    auto& x = *x_;
    x.responded = true;
    if (!x.decoder.ended() && !closes_ && !tunnels_) {
        x.body_lent = false;
        return await_body();
    }
    if (core_.log_access) log_response();
    if (x.head_buffer.bytes) core_.loop.io().buffers().give(std::exchange(x.head_buffer, {}));
    core_.loop.forget(x.attend);
    core_.give(std::exchange(x_, nullptr));
    phase_ = phase::idle;
    if (fetched() == runtime::intake::in_bulk) core_.loop.io().fetch(*this, runtime::intake::between);
    // A response that waits for its client is watched until it is gone; then the connection is idle.
    if (unsent()) return windowed_ ? void() : begin_window();
    // The clock is not set anew for each request: it mostly rings early, and looks again.
    due_ = core_.due_in(core_.bounds.idle);
    windowed_ = false;
    if (!timer_.waits() || due_ < timer_.due) watch_clock();
}

void connection::finished(exchange&) noexcept {
    x_->finished = true;
    core_.loop.later(x_->attend);
}

void connection::attend(runtime::deferred& d) noexcept {
    auto& x = *static_cast<h1_exchange::attending&>(d).of;
    static_cast<connection*>(x.via)->attend();
}

void connection::attend() {
    auto& x = *x_;
    begin_batch();
    if (x.broken) {
        ++core_.counts.refusals;
        if (x.responded) {
            batching_ = false;
            return break_off();
        }
        x.cancel();
        fail(x.broken->status, x.broken->reason);
    } else if (std::exchange(x.finished, false)) {
        if (std::exchange(x.producing, false)) {
            end_pieces(x.settle_producer());
        } else {
            x.settle();
            core_.app.give_body(x);
            answered();
        }
    }
    send_batch();
    if (phase_ != phase::leaving) go_on();
    settle_memory();
    if (client_ended_) end_with_client();
}

// Ends a response that cannot be finished, so that it does not look whole (RFC 9112, 8). In chunks
// the last one is missing; a body that ends with its connection must end by a reset.
void connection::break_off() noexcept {
    const bool orderly = x_->chunks_response;
    x_->cancel();
    if (!orderly) {
        core_.loop.io().reset(*this);
        return close();
    }
    x_->producing = x_->handling = false;
    closes_ = true;
    client_closes_ = false;
    release();
    if (!consuming_) send_batch();
}

void connection::close() noexcept {
    phase_ = phase::leaving;
    core_.loop.timers().remove(timer_);
    if (x_) {
        if (x_->handling || x_->producing) ++core_.counts.cancelled;
        x_->cancel();
        core_.loop.forget(x_->attend);
        if (x_->head_buffer.bytes) core_.loop.io().buffers().give(std::exchange(x_->head_buffer, {}));
        core_.give(std::exchange(x_, nullptr));
    }
    if (!consuming_) input_.reset();
    settle_memory();
    if (unsent()) core_.loop.io().reset(*this);
    else core_.loop.io().close(*this);
}

}  // namespace apus::http::h1
