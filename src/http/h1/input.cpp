// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/refusals.hpp"
#include "http/h1/protocol.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

// Converts received bytes to exchanges. Heads and bodies are parsed in the receive buffer; only unprocessed bytes are
// copied or kept.

namespace apus::http::h1 {
namespace {

constexpr std::size_t max_held = 64 * 1024;         // unprocessed bytes of a client; above this, reading is paused
constexpr std::size_t much_body = 32 * 1024;        // bodies of this size or more are received in large buffers
constexpr std::size_t max_unsent = 256 * 1024;      // unsent bytes; above this, no further request is processed
constexpr std::size_t max_batch_bytes = 64 * 1024;  // responses in one send; the last response may exceed this limit

}  // namespace

void protocol::received(runtime::received_bytes b) {
    connection_.count_traffic(b.size);
    take(b);
    // Skipped for most requests, which leave no unread bytes and no unsent output.
    if (x_ || input_ || connection_.unsent() || connection_.held() != connection_.idle_memory()) settle_memory();
}

void protocol::take(runtime::received_bytes b) {
    if (phase_ == phase::leaving) return;
    if (!input_) {
        own().unread = {b.data, b.size};
        consume();
        if (x_ || !own().unread.empty()) settle_views(b.size - own().unread.size(), b);
        return;
    }
    bool whole_line = std::memchr(b.data, '\n', b.size) != nullptr;
    input_->append({b.data, b.size});
    // Parses a partial head again only when a line is complete or too long. So parsing work depends on the number of
    // lines, even if a client sends single bytes.
    if (phase_ == phase::head && !whole_line &&
        input_->size() < std::min(core_.bounds.request_line, core_.bounds.field_bytes))
        return;
    process_buffered();
}

// Returns true if the exchange still needs the bytes of its head and does not own them. An exchange whose response is
// complete needs them while the rest of its body arrives: its end is logged, traced and kept.
bool protocol::must_keep_head() const noexcept { return x_ && !x_->head_buffer.bytes; }

// Keeps the loop's receive buffer, or copies the bytes that are still needed. A buffer that is not kept is returned to
// the kernel.
void protocol::settle_views(std::size_t used, runtime::received_bytes b) {
    if (is_over()) return;
    auto& io = core_.loop.io();
    bool lent = x_ && x_->body_lent;
    if (must_keep_head()) {
        x_->head_buffer = io.keep();
        if (used == b.size) return;
        input_ = std::make_unique<input_buffer>(
            io.buffers(), runtime::buffer_lease{io.buffers().take(), runtime::buffer_pool::buffer_size}, 0, 0);
        input_->append({b.data + used, b.size - used});
    } else if (used < b.size || lent) {
        input_ = std::make_unique<input_buffer>(io.buffers(), io.keep(), used, b.size);
        input_->pin(lent);
    }
    watch_input();
}

void protocol::process_buffered() {
    bool goes_on = true;
    while (goes_on) {
        if (!input_->pinned()) input_->gather();
        const std::string_view before = input_->unread();
        own().unread = before;
        consume();
        if (is_over()) {
            input_.reset();
            return;
        }
        const std::size_t used = before.size() - own().unread.size();
        input_->use(used);
        if (must_keep_head()) x_->head_buffer = input_->detach();
        else input_->pin(x_ && x_->body_lent);
        goes_on = used != 0 && input_->has_more() && !blocked();
    }
    if (!input_->size() && !input_->pinned()) input_.reset();
    if (client_ended_) end_with_client();
    else watch_input();
}

void protocol::process_next() {
    if (input_ && !consuming_ && !blocked()) process_buffered();
}

void protocol::watch_input() {
    auto& io = core_.loop.io();
    if (x_ && x_->tunnel) {
        const auto how = x_->expects >= much_body ? runtime::receive_mode::bulk : runtime::receive_mode::small;
        if (connection_.mode() != how) io.set_receive_mode(connection_, how);
    } else if (x_ && !x_->decoder.ended() && (x_->decoder.announced() >= much_body || x_->body_bytes >= much_body)) {
        io.set_receive_mode(connection_, runtime::receive_mode::bulk);
    }
    if (!consuming_) settle_memory();
    if (connection_.throttle(core_) || (input_ && input_->size() > max_held)) io.pause(connection_);
    else io.receive(connection_);
}

bool protocol::blocked() const noexcept {
    if (closes_ || is_over() || connection_.yielded()) return true;
    const std::size_t waiting = connection_.unsent();
    return waiting > max_unsent || (waiting && core_.guard.throttles(connection_)) || (!x_ && core_.guard.exhausted());
}

// Large responses, and those of a client that does not read, are not in the batch but in the queue of the connection.
void protocol::consume() {
    consuming_ = true;
    begin_batch();
    auto& io = core_.loop.io();
    const std::size_t room = io.is_crowded() ? std::min<std::size_t>(io.share_of(connection_), 1)
                                             : std::min(io.share_of(connection_), max_batch_bytes);
    const std::size_t room_in_queue = connection_.unsent() + std::min(room, runtime::backend::min_share_bytes);
    while (!own().unread.empty() && !blocked()) {
        if (io.arena().batch().size() >= room || (!x_ && connection_.unsent() >= room_in_queue)) io.yield(connection_);
        else if (!(x_ ? read_body() : read_head())) break;
    }
    consuming_ = false;
    send_batch();
}

bool protocol::read_head() {
    if (requests_ == 0) {
        if (is_http2_preface()) return switch_to_http2(), false;
        if (protocols_ != runtime::protocols::http2 && !may_be_http2_preface()) count_as_http1();
    }
    h1_exchange* x = own().take();
    auto parsed = codec::http1::read_request_head(own().unread, own().head_bounds, x->head);
    if (parsed.state == codec::outcome::done && x->head.form == codec::http1::target_form::absolute &&
        x->head.https != (connection_.layer() != nullptr))
        parsed = {codec::outcome::bad, nullptr, 0, &codec::http1::refusals::target_misdirected};
    if (protocols_ == runtime::protocols::http2 && parsed.state != codec::outcome::partial)
        parsed = {codec::outcome::bad, nullptr, 0, refused_version()};
    if (parsed.state == codec::outcome::done) {
        x_ = x;
        begin(parsed.used);
        return true;
    }
    own().recycle(x);
    if (parsed.state == codec::outcome::bad && (!parsed.why || may_be_http2_preface())) {
        switch_to_http2();
    } else if (parsed.state == codec::outcome::bad) {
        core_.counts.count_refusal(parsed.why->status);
        fail_head(parsed.why->status, parsed.why->reason);
    } else if (phase_ == phase::idle) {
        phase_ = phase::head;
        set_deadline(core_.due_in(core_.bounds.head));
    }
    return false;
}

// Sets exchange::body to the next piece in core::unread, or ends the body. Returns false if more bytes are needed or
// the body is invalid.
bool protocol::next_piece() {
    auto& x = *x_;
    if (x.tunnel) {
        x.body = std::exchange(own().unread, {});
        return !x.body.empty();
    }
    auto step = x.decoder.next(own().unread, own().head_bounds, own().trailers);
    own().unread.remove_prefix(step.used);
    in_ += static_cast<std::uint32_t>(step.used);
    x.body_bytes += step.piece.size();
    if (step.state == codec::outcome::bad) x.broken = step.why;
    // Rejects a chunk by its announced size, before receiving it.
    else if (x.body_bytes + x.decoder.announced() > x.max_body) x.broken = &body_too_large;
    if (x.broken) {
        core_.loop.later(x.resume_later);
        return false;
    }
    if (step.state == codec::outcome::partial) return false;
    x.body = step.piece;
    if (x.reader) x.waited += core_.loop.now() - x.waits_since;
    x.continue_due = false;
    if (x.decoder.ended()) {
        x.body_ended = true;
        keep_trailers(step.trailers);
    }
    return true;
}

void protocol::keep_trailers(std::string_view section) {
    if (section.empty() || !own().trailers.field_count) return;
    auto& kept = x_->use_trailers();
    kept.bytes = section;
    kept.count = own().trailers.field_count;
    std::copy_n(own().trailers.fields, kept.count, kept.room());
}

bool protocol::read_body() {
    auto& x = *x_;
    if (x.broken || x.decoder.ended()) return false;
    bool whole = x.plan->body == body_mode::whole && !x.responded();
    // The body is skipped only after the response is complete, because a suspended producer may still read it.
    const bool skipped = x.at == stage::complete;
    if (!whole && !skipped && !x.reader) return false;  // the handler does not read: backpressure
    if (x.tunnel && !x.reader) return false;
    if (!next_piece()) return false;
    if (x.reader) {
        if (!x.filter || x.filter->next(x)) std::exchange(x.reader, {}).resume();
    } else if (skipped) {
        x.body = {};
        if (x.decoder.ended()) release();
    } else {
        bool in_place = x.decoder.ended() && x.collected.empty() && !x.head_buffer.bytes;
        if (!in_place) x.collect(x.body);
        if (!x.decoder.ended()) return true;
        if (!in_place) x.body = x.collected;
        run(x);
    }
    return true;
}

void protocol::request_more_body(exchange&) noexcept {
    auto& x = *x_;
    x.body_lent = false;
    if (x.broken) return;
    if (consuming_) {
        next_piece();
    } else if (input_) {
        input_->pin(false);
        input_->gather();
        // core::unread may belong to another connection, whose handler has resumed the handler of this connection.
        auto others = std::exchange(own().unread, input_->unread());
        std::size_t before = own().unread.size();
        next_piece();
        input_->use(before - own().unread.size());
        input_->pin(!x.body.empty());
        own().unread = others;
    }
    if (x.body.empty() && client_ended_ && x.tunnel) x.body_ended = true;
    if (x.body.empty() && client_ended_ && !x.body_ended && !x.broken) truncate_body();
    if (!x.body.empty() || x.body_ended || x.broken) return;
    if (x.continue_due) say_continue(x);
    if (!consuming_) watch_input();
    x.waits_since = core_.loop.now();
    // A running rate window continues over several reads. Otherwise a client that sends a byte before each window ends
    // could keep the connection open forever.
    if (!windowed_) begin_window();
}

}  // namespace apus::http::h1
