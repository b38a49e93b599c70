// SPDX-License-Identifier: Apache-2.0
#include "http/h1/protocol.hpp"
#include "http/problem.hpp"

#include <cstring>
#include <new>
#include <utility>

// Exchanges, from the head of the request to the response.

namespace apus::http::h1 {

void protocol::begin(std::size_t head_size) {
    auto& x = *x_;
    x.bytes = own().unread.data();
    // A tunnel needs the request head until the tunnel ends, so the head is copied into memory of the exact size.
    if (x.head.wants_upgrade) copy_head(head_size);
    own().unread.remove_prefix(head_size);
    x.via = this;
    x.decoder = body_decoder(x.head);
    x.body_ended = x.decoder.ended();
    if (x.body_ended && connection_.mode() != runtime::receive_mode::small)
        core_.loop.io().set_receive_mode(connection_, runtime::receive_mode::small);
    x.chunks_response = false;
    x.continue_due = x.head.expects_continue && !x.body_ended;
    x.started = core_.started(connection_.fd());
    ++requests_;
    // While draining, pipelined requests still get responses; the last response closes the connection.
    const bool is_last = own().unread.empty() || !x.body_ended;
    x.keeps_alive = x.head.keep_alive && !(core_.draining && is_last) &&
                    (!core_.bounds.requests_per_connection || requests_ < core_.bounds.requests_per_connection);
    phase_ = phase::busy;
    begin(x);
}

void protocol::copy_head(std::size_t size) {
    auto& x = *x_;
    x.head_buffer = {static_cast<char*>(::operator new(size)), size};
    std::memcpy(x.head_buffer.bytes, x.bytes, size);
    x.bytes = x.head_buffer.bytes;
}

bool protocol::has_room(served_exchange& x, std::uint64_t bytes) {
    const bool is_there = x.head.body == codec::http1::framing::sized && bytes <= own().unread.size();
    return is_there || !core_.guard.refuses(connection_, bytes);
}

void protocol::refuse_for_memory(served_exchange& x) { fail(x, memory_guard::refusal()); }

void protocol::await_whole_body(served_exchange& x) {
    if (x.continue_due && own().unread.empty()) say_continue(x);
    await_body();
}

// A rate window that is running for the body continues. At its end, the rate is checked only if the handler is reading.
void protocol::await_task(served_exchange&) {
    if (!windowed_) due_ = 0;
    watch_clock();
}

// Ends the exchange. If the body has not ended, first skips the rest of it.
void protocol::release() {
    auto& x = *x_;
    if (!x.decoder.ended() && !closes_ && !x.tunnel) {
        x.body_lent = false;
        return await_body();
    }
    core_.count_end(x, x.answer.status());
    if (core_.log_access) log_response(x, x.answer.status());
    if (x.head_buffer.bytes) core_.loop.io().buffers().recycle(std::exchange(x.head_buffer, {}));
    core_.loop.forget(x.resume_later);
    own().recycle(std::exchange(x_, nullptr));
    phase_ = phase::idle;
    if (connection_.mode() == runtime::receive_mode::bulk)
        core_.loop.io().set_receive_mode(connection_, runtime::receive_mode::small_after_bulk);
    // While output is unsent, the client's rate is checked; the idle timeout starts afterwards.
    if (connection_.unsent()) return windowed_ ? void() : begin_window();
    // The timer is not changed for each request: it fires early and is set again.
    due_ = core_.idle_due();
    windowed_ = false;
    if (!timer::waits() || due_ < timer::due) watch_clock();
}

void protocol::resume(served_exchange& x) {
    begin_batch();
    take_outcome(x);
    send_batch();
    if (phase_ != phase::leaving) process_next();
    settle_memory();
    if (client_ended_) end_with_client();
}

// Sends an error response after invalid input or a timeout, and closes the connection.
void protocol::fail(served_exchange& x, response why) {
    x_->keeps_alive = false;
    http::protocol::fail(x, std::move(why));
    client_closes_ = false;
    own().unread = {};
}

// Sends an error response without a valid request head: creates an exchange for the response.
void protocol::fail_head(int status, std::string_view detail) {
    count_as_http1();
    x_ = own().take();
    auto& x = *x_;
    static_cast<codec::http1::head_facts&>(x.head) = {};
    x.head.verb = method::get;
    x.head.minor = 1;
    x.bytes = "";
    x.via = this;
    x.decoder = {};
    fail(x, status, detail);
}

// Aborts a response in a way that the client detects (RFC 9112, 8). A chunked body ends without its last chunk; for
// other bodies, the connection is reset.
void protocol::abort_response(served_exchange&) noexcept {
    const bool orderly = x_->chunks_response;
    x_->cancel();
    if (!orderly) {
        core_.loop.io().reset(connection_);
        return close_connection();
    }
    x_->at = stage::complete;
    closes_ = true;
    client_closes_ = false;
    release();
    if (!consuming_) send_batch();
}

void protocol::close_connection() noexcept {
    phase_ = phase::leaving;
    core_.loop.timers().remove(*this);
    if (x_) {
        if (x_->at == stage::handling || x_->at == stage::producing) ++core_.counts.cancelled;
        if (x_->plan) core_.count_end(*x_, x_->responded() ? x_->answer.status() : 0);
        x_->cancel();
        core_.loop.forget(x_->resume_later);
        if (x_->head_buffer.bytes) core_.loop.io().buffers().recycle(std::exchange(x_->head_buffer, {}));
        own().recycle(std::exchange(x_, nullptr));
    }
    if (!consuming_) input_.reset();
    settle_memory();
    if (connection_.unsent()) core_.loop.io().reset(connection_);
    else core_.loop.io().close(connection_);
}

}  // namespace apus::http::h1
