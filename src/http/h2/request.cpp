// SPDX-License-Identifier: Apache-2.0
#include "http/body_limit.hpp"
#include "http/h2/connection.hpp"
#include "http/problem.hpp"

#include <utility>

// An exchange from its head to its answer.

namespace apus::http::h2 {

void connection::begin_request(h2_exchange& x) {
    quiet_due_ = 0;
    if (core_.log_access) x.started = core_.readable_since(fd());
    const codec::refusal* why = x.fields.finish(x.head);
    x.bytes = x.fields.bytes();
    x.body_ended = x.client_done;
    if (why) {
        ++core_.counts.refusals;
        static_cast<codec::http1::head_facts&>(x.head) = {};
        x.head.verb = method::other;
        return fail(x, why->status, why->reason);
    }
    x.head.body = x.client_done             ? codec::http1::framing::none
                  : x.fields.length_given() ? codec::http1::framing::sized
                                            : codec::http1::framing::chunked;
    if (x.fields.extended_connect()) x.head.body = codec::http1::framing::none, x.body_ended = true;
    x.continue_due = x.head.expects_continue && !x.body_ended;
    ++core_.counts.requests;
    controls_.earn(1);
    if (core_.bounds.requests_per_connection && ++requests_ >= core_.bounds.requests_per_connection) end_gracefully();

    const bool routed = core_.app.route(x);
    if (!x.body_ended && !accepts_body(x)) return;
    if (!routed) return answered(x);
    if (!has_memory(x)) return;
    if (x.plan->body != body_mode::whole || x.body_ended) return run(x);
    settle(x);
    if (x.continue_due) say_continue(x);
    begin_window(x);
}

// Sets what the route allows its bodies. False: this one is refused for the size it announces.
bool connection::accepts_body(h2_exchange& x) {
    set_body_limits(x, x.body_rate, core_.bounds);
    if (x.head.body != codec::http1::framing::sized || x.head.content_length <= x.max_body) return true;
    ++core_.counts.refusals;
    fail(x, body_too_large.status, body_too_large.reason);
    return false;
}

void connection::run(h2_exchange& x) {
    if (postpone(x)) return;
    if (core_.app.run(x)) return answered(x);
    x.handling = true;
    settle(x);
    expect_handler(x);
}

void connection::answered(h2_exchange& x) {
    x.handling = false;
    x.handler_due = 0;
    x.continue_due = false;
    if (x.answer.streams()) {
        respond_in_pieces(x);
    } else {
        respond(x);
        // The handler has ended: an echo, say, does not hold its body twice.
        if (x.collected.capacity() > memory_guard::small_request) x.body = {}, std::string().swap(x.collected);
    }
    settle(x);
}

void connection::finished(exchange& of) noexcept {
    auto& x = static_cast<h2_exchange&>(of);
    x.finished = true;
    core_.loop.later(x.attend);
}

void connection::attend(runtime::deferred& d) noexcept {
    auto& x = *static_cast<h2_exchange::attending&>(d).of;
    static_cast<connection*>(x.via)->attend(x);
}

void connection::attend(h2_exchange& x) {
    constexpr std::size_t low_water = 32 * 1024;
    core_.loop.later(flush_);
    if (x.broken) {
        ++core_.counts.refusals;
        x.cancel();
        x.finished = false;
        if (x.responded) return reset(x, NGHTTP2_PROTOCOL_ERROR);
        return fail(x, x.broken->status, x.broken->reason);
    }
    if (std::exchange(x.finished, false)) {
        if (std::exchange(x.producing, false)) return end_pieces(x, x.settle_producer());
        x.settle();
        core_.app.give_body(x);
        return answered(x);
    }
    if (x.writer && x.waiting() <= low_water) std::exchange(x.writer, {}).resume();
}

// Answers with a problem. Something was not understood, or took too long.
void connection::fail(h2_exchange& x, int status, std::string_view detail) {
    x.answer = error_answer(status, detail);
    core_.app.give_body(x);
    fail(x, std::move(x.answer));
}

void connection::fail(h2_exchange& x, response why) {
    if (x.responded) return reset(x, NGHTTP2_INTERNAL_ERROR);
    x.handling = x.producing = x.continue_due = false;
    x.handler_due = 0;
    x.answer = std::move(why);
    respond(x);
}

// The session calls `on_close` when it is told to the client.
void connection::reset(h2_exchange& x, std::uint32_t code) noexcept {
    x.cancel();
    x.handling = x.producing = x.finished = false;
    x.handler_due = 0;
    x.responded = x.complete = true;
    nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, x.stream, code);
    core_.loop.later(flush_);
}

void connection::release(h2_exchange& x) noexcept {
    if (heading_ == &x) heading_ = nullptr;
    if (x.handling || x.producing) ++core_.counts.cancelled;
    x.cancel();
    if (core_.log_access && x.responded) log_response(x);
    core_.loop.forget(x.attend);
    // What the handler has not read is the client's again, for other streams.
    if (!x.arrived.empty() || !x.lent.empty())
        nghttp2_session_consume_connection(session_, x.arrived.size() + x.lent.size());
    if (x.owing) --owing_;
    if (x.postponed) --postponed_;
    withheld_ -= x.withheld;
    bodies_ -= x.held;
    *x.at = x.next;
    if (x.next) x.next->at = x.at;
    --open_;
    own_.give(&x);
    if (open_ || phase_ == phase::leaving) return;
    // The clock is not set anew for each request: it mostly rings early, and looks again.
    quiet_due_ = core_.due_in(core_.bounds.idle);
    rest_due_ = core_.due_in(rest);
    if (!timer_.waits() || rest_due_ < timer_.due) watch_clock();
}

}  // namespace apus::http::h2
