// SPDX-License-Identifier: Apache-2.0
#include "http/h2/protocol.hpp"

#include <utility>

// Lifecycle of an exchange, from the complete request head until the stream is closed or reset.

namespace apus::http::h2 {

void protocol::begin_request(h2_exchange& x) {
    idle_due_ = 0;
    x.started = core_.started(connection_.fd());
    const codec::refusal* why = x.fields.finish(x.head, authority_);
    x.bytes = x.fields.bytes() ? x.fields.bytes() : "";
    x.body_ended = x.client_done;
    const bool sized = !why && x.fields.length_given() && x.head.verb != method::connect;
    if (x.fields.malformed() || (sized && x.client_done && x.head.content_length != 0)) return reject_malformed(x);
    order_response(x);
    if (why) {
        core_.counts.count_refusal(why->status);
        static_cast<codec::http1::head_facts&>(x.head) = {};
        x.head.verb = method::other;
        return fail(x, why->status, why->reason);
    }
    x.head.body = x.client_done ? codec::http1::framing::none
                  : sized       ? codec::http1::framing::sized
                                : codec::http1::framing::chunked;
    if (x.fields.extended_connect()) x.head.body = codec::http1::framing::none, x.body_ended = true;
    x.sized = x.head.body == codec::http1::framing::sized;
    x.continue_due = x.head.expects_continue && !x.body_ended;
    controls_.refund(1);
    if (core_.bounds.requests_per_connection && ++requests_ >= core_.bounds.requests_per_connection) end_gracefully();
    ++core_.counts.h2_requests;
    begin(x);
}

void protocol::resume(served_exchange& of) {
    auto& x = static_cast<h2_exchange&>(of);
    constexpr std::size_t low_water = 32 * 1024;
    core_.loop.later(*this);
    if (x.broken || x.finished) take_outcome(x);
    else if (x.writer && x.waiting() <= low_water) std::exchange(x.writer, {}).resume();
}

void protocol::abort_response(served_exchange& x) noexcept {
    reset(static_cast<h2_exchange&>(x), x.broken ? error_code::protocol_error : error_code::internal_error);
}

// Resets the stream. The next flush releases the exchange, because the caller may still use it.
void protocol::reset(h2_exchange& x, error_code code) noexcept {
    if (x.doomed) return;
    x.cancel();
    x.finished = false;
    x.handler_due = 0;
    x.reset_early = !x.responded();
    x.at = stage::complete;
    streams_.erase(x);
    forget(x);
    x.doomed = doomed_ = true;
    char* to = output().room(codec::http2::rst_stream_size);
    out_.wrote(codec::http2::write_rst_stream(to, x.stream, code));
    note_end(x, code != error_code::no_error || !x.ended);
    core_.loop.later(*this);
}

// Called when both sides have ended the stream, or one side has reset it.
void protocol::close_stream(h2_exchange& x, bool cut_off) {
    note_end(x, cut_off);
    release(x);
}

// Counts resets by either side. A client that provokes resets by the server causes as much work as a client that resets
// streams itself (CVE-2023-44487, CVE-2025-8671).
void protocol::note_end(const h2_exchange& x, bool cut_off) {
    if (x.client_done) history().finished_by_client(x.stream);
    else history().reset_by_server(x.stream);
    if (cut_off && !resets_.take(core_.loop.now())) end_flood(core_.counts.h2_resets);
}

stream_history& protocol::history() {
    if (!history_) history_ = std::make_unique<stream_history>();
    return *history_;
}

// Stops sending for this exchange and ignores its frames.
void protocol::forget(h2_exchange& x) noexcept {
    sending_.remove(x);
    x.sends_body = false;
    if (head_exchange_ == &x) head_exchange_ = nullptr;
    if (data_ == &x) data_ = nullptr;
    if (std::exchange(x.has_unsent_data, false)) --unsent_exchanges_;
}

void protocol::release_doomed() noexcept {
    doomed_ = false;
    for (auto* x = first_; x;) {
        auto* following = x->next;
        if (x->doomed) release(*x);
        x = following;
    }
}

void protocol::release(h2_exchange& x) noexcept {
    if (!x.doomed) streams_.erase(x);
    forget(x);
    if (x.at == stage::handling || x.at == stage::producing) ++core_.counts.cancelled;
    if (x.plan) ++core_.counts.h2_requests_ended;
    if (x.plan || x.responded())
        core_.count_end(x, !x.responded() || x.reset_early ? 0 : x.tunnel ? 200 : x.answer.status());
    x.cancel();
    // An exchange whose `bytes` are null has no complete head, and is not logged.
    if (core_.log_access && x.responded() && x.bytes) log_response(x, x.tunnel ? 200 : x.answer.status());
    core_.loop.forget(x.resume_later);
    // Returns the connection's window for unread bytes, so that other streams can use it.
    if (!x.arrived.empty() || !x.lent.empty()) return_window(x.arrived.size() + x.lent.size());
    if (x.postponed) --postponed_;
    deferred_window_ -= x.deferred_window;
    bodies_ -= x.held;
    *x.link = x.next;
    if (x.next) x.next->link = x.link;
    own_.recycle(&x);
    if (--open_) return;
    ++core_.counts.h2_deactivations;
    if (phase_ == phase::leaving) return;
    // Changes the timer only if it would fire too late; a timer that fires early is set again.
    idle_due_ = core_.due_in(core_.bounds.idle);
    rest_due_ = core_.due_in(rest_after);
    if (!timer::waits() || rest_due_ < timer::due) watch_clock();
}

}  // namespace apus::http::h2
