// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/refusals.hpp"
#include "http/h1/connection.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

// From received bytes to exchanges: heads and bodies are read from the buffer they came in, and
// only what cannot be used yet is held.

namespace apus::http::h1 {
namespace {

constexpr std::size_t held_most = 64 * 1024;     // then the client is held back
constexpr std::size_t much_body = 32 * 1024;     // is received in large pieces
constexpr std::size_t unsent_most = 256 * 1024;  // then no further request is answered for now
constexpr std::size_t batch_most = 64 * 1024;    // of answers in one send, but for the last

}  // namespace

void connection::received(runtime::received_bytes b) {
    count_moved(b.size);
    take(b);
    // Most requests leave nothing behind.
    if (x_ || input_ || unsent() || held() != idle_memory()) settle_memory();
}

void connection::take(runtime::received_bytes b) {
    if (phase_ == phase::leaving) return;
    if (!input_) {
        core_.unread = {b.data, b.size};
        consume();
        if (x_ || !core_.unread.empty()) settle_views(b.size - core_.unread.size(), b);
        return;
    }
    bool whole_line = std::memchr(b.data, '\n', b.size) != nullptr;
    input_->append({b.data, b.size});
    // A head is looked at again only when a line of it is complete, or too long: a client that
    // sends it byte by byte costs no more than its lines.
    if (phase_ == phase::head && !whole_line &&
        input_->size() < std::min(core_.bounds.request_line, core_.bounds.field_bytes))
        return;
    use_held();
}

// Whether views of the exchange point into its head, and will be looked at later.
bool connection::needs_head() const noexcept {
    return x_ && !x_->head_buffer.bytes && (!x_->responded || x_->producing);
}

// The buffer of the loop goes back to the kernel now: what is needed of it is kept.
void connection::settle_views(std::size_t used, runtime::received_bytes b) {
    if (phase_ == phase::leaving) return;
    auto& io = core_.loop.io();
    bool lent = x_ && x_->body_lent;
    if (needs_head()) {
        x_->head_buffer = io.keep();
        if (used == b.size) return;
        input_ = std::make_unique<held_input>(
            io.buffers(), runtime::buffer_lease{io.buffers().take(), runtime::buffer_pool::buffer_size}, 0, 0);
        input_->append({b.data + used, b.size - used});
    } else if (used < b.size || lent) {
        input_ = std::make_unique<held_input>(io.buffers(), io.keep(), used, b.size);
        input_->pin(lent);
    }
    watch_input();
}

void connection::use_held() {
    bool goes_on = true;
    while (goes_on) {
        if (!input_->pinned()) input_->gather();
        const std::string_view before = input_->unread();
        core_.unread = before;
        consume();
        if (phase_ == phase::leaving) {
            input_.reset();
            return;
        }
        const std::size_t used = before.size() - core_.unread.size();
        input_->use(used);
        if (needs_head()) x_->head_buffer = input_->detach();
        else input_->pin(x_ && x_->body_lent);
        goes_on = used != 0 && input_->has_more() && !blocked();
    }
    if (!input_->size() && !input_->pinned()) input_.reset();
    if (client_ended_) end_with_client();
    else watch_input();
}

void connection::go_on() {
    if (input_ && !consuming_ && !blocked()) use_held();
}

void connection::watch_input() {
    auto& io = core_.loop.io();
    if (x_ && tunnels_) {
        const auto how = x_->expects >= much_body ? runtime::intake::in_bulk : runtime::intake::as_it_comes;
        if (fetched() != how) io.fetch(*this, how);
    } else if (x_ && !x_->decoder.ended() && (x_->decoder.announced() >= much_body || x_->body_bytes >= much_body)) {
        io.fetch(*this, runtime::intake::in_bulk);
    }
    if (!consuming_) settle_memory();
    if (hold_back(core_) || (input_ && input_->size() > held_most)) io.pause(*this);
    else io.receive(*this);
}

bool connection::blocked() const noexcept {
    if (closes_ || phase_ == phase::leaving || yielded()) return true;
    const std::size_t waiting = unsent();
    return waiting > unsent_most || (waiting && core_.guard.holds_back(*this)) || (!x_ && core_.guard.exhausted());
}

void connection::consume() {
    consuming_ = true;
    begin_batch();
    auto& io = core_.loop.io();
    const std::size_t room = std::min(io.share_of(*this), batch_most);
    while (!core_.unread.empty() && !blocked()) {
        if (io.arena().batch().size() >= room) io.yield(*this);
        else if (!(x_ ? read_body() : read_head())) break;
    }
    consuming_ = false;
    send_batch();
}

bool connection::read_head() {
    if (requests_ == 0 && is_surely_http2()) return hand_over(), false;
    h1_exchange* x = core_.take();
    auto parsed = codec::http1::read_request_head(core_.unread, core_.head_bounds, x->head);
    if (parsed.state == codec::outcome::done && x->head.form == codec::http1::target_form::absolute &&
        x->head.https != (layer() != nullptr))
        parsed = {codec::outcome::bad, nullptr, 0, &codec::http1::refusals::target_misdirected};
    if (spoken_ == runtime::protocols::http2 && parsed.state != codec::outcome::partial)
        parsed = {codec::outcome::bad, nullptr, 0, refused_version()};
    if (parsed.state == codec::outcome::done) {
        x_ = x;
        begin(parsed.used);
        return true;
    }
    core_.give(x);
    if (parsed.state == codec::outcome::bad && (!parsed.why || begins_http2())) {
        hand_over();
    } else if (parsed.state == codec::outcome::bad) {
        ++core_.counts.refusals;
        fail(parsed.why->status, parsed.why->reason);
    } else if (phase_ == phase::idle) {
        phase_ = phase::head;
        expect_by(core_.due_in(core_.bounds.head));
    }
    return false;
}

// Takes the next piece out of core::unread into exchange::body, or the end. False: more bytes are
// needed, or the body is broken.
bool connection::next_piece() {
    auto& x = *x_;
    if (tunnels_) {
        x.body = std::exchange(core_.unread, {});
        return !x.body.empty();
    }
    auto step = x.decoder.next(core_.unread, core_.head_bounds, core_.trailers);
    core_.unread.remove_prefix(step.used);
    in_ += static_cast<std::uint32_t>(step.used);
    x.body_bytes += step.piece.size();
    if (step.state == codec::outcome::bad) x.broken = step.why;
    // A chunk that says it is too large need not be received to be refused.
    else if (x.body_bytes + x.decoder.announced() > x.max_body) x.broken = &body_too_large;
    if (x.broken) {
        core_.loop.later(x.attend);
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

void connection::keep_trailers(std::string_view section) {
    if (section.empty() || !core_.trailers.field_count) return;
    auto& x = *x_;
    x.trailer_bytes = section;
    x.trailer_count = core_.trailers.field_count;
    if (!x.trailers) x.trailers = new codec::http1::field[codec::http1::max_fields];
    std::copy_n(core_.trailers.fields, x.trailer_count, x.trailers);
}

bool connection::read_body() {
    auto& x = *x_;
    if (x.broken || x.decoder.ended()) return false;
    bool whole = x.plan->body == body_mode::whole && !x.responded;
    // A producer that waits for its client may read on later: only what nobody will read is skipped.
    const bool skipped = x.responded && !x.producing;
    if (!whole && !skipped && !x.reader) return false;  // the handler is asked for patience, and so is the client
    if (tunnels_ && !x.reader) return false;
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
        run();
    }
    return true;
}

void connection::refuse_body(exchange&, const codec::refusal& why) noexcept {
    x_->broken = &why;
    core_.loop.later(x_->attend);
}

void connection::wants_body(exchange&) noexcept {
    auto& x = *x_;
    x.body_lent = false;
    if (x.broken) return;
    if (consuming_) {
        next_piece();
    } else if (input_) {
        input_->pin(false);
        input_->gather();
        // Another connection may be at work: its handler may have woken this one's.
        auto others = std::exchange(core_.unread, input_->unread());
        std::size_t before = core_.unread.size();
        next_piece();
        input_->use(before - core_.unread.size());
        input_->pin(!x.body.empty());
        core_.unread = others;
    }
    if (x.body.empty() && client_ended_ && tunnels_) x.body_ended = true;
    if (x.body.empty() && client_ended_ && !x.body_ended && !x.broken) cut_body();
    if (!x.body.empty() || x.body_ended || x.broken) return;
    if (x.continue_due) say_continue();
    if (!consuming_) watch_input();
    x.waits_since = core_.loop.now();
    // A window goes on from read to read: else a byte now and then would hold the connection for ever.
    if (!windowed_) begin_window();
}

}  // namespace apus::http::h1
