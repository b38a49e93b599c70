// SPDX-License-Identifier: Apache-2.0
#include "codec/hpack/literal.hpp"
#include "http/body_limit.hpp"
#include "http/h2/header_block.hpp"
#include "http/h2/protocol.hpp"

#include <utility>

// Request bodies. Flow-control windows limit the unread bytes. When the handler reads, WINDOW_UPDATE frames return the
// window to the client.

namespace apus::http::h2 {
namespace {

constexpr codec::refusal too_much_memory{503, "the streams of this connection use too much memory"};

}  // namespace

void protocol::consumed(h2_exchange& x, std::size_t size) noexcept {
    if (!size) return;
    core_.loop.later(*this);
    return_window(size);
    if (!defers_window(x)) return return_window(x, size);
    x.deferred_window += size;
    deferred_window_ += size;
}

void protocol::take_body(h2_exchange& x, std::string_view bytes) {
    x.in += static_cast<std::uint32_t>(bytes.size());
    x.body_bytes += bytes.size();
    x.continue_due = false;
    if (!x.broken && x.body_bytes > x.max_body && !x.tunnel && !x.fields.extended_connect()) {
        x.broken = &body_too_large;
        core_.loop.later(x.resume_later);
    }
    // The handler will not read these bytes. Returns them to the connection's window, which other streams share, but
    // not to the window of this stream.
    if (x.broken || x.at == stage::complete) return return_window(bytes.size());
    if (x.awaits_whole_body() && !x.fields.extended_connect()) {
        x.collect(bytes);
        settle(x);
        consumed(x, bytes.size());
        if (x.held > memory_guard::small_request && bodies_ > body_limit(8) && !is_first_body(x)) {
            ++core_.counts.memory_refusals;
            refuse_for_memory(x);
        }
        return;
    }
    x.arrived.append(bytes);
    if (x.reader && !x.body_lent) deliver_piece(x);
    settle(x);
    if (x.tunnel && x.held > memory_guard::small_request && bodies_ > body_limit(8) && !is_first_body(x)) {
        ++core_.counts.memory_refusals;
        refuse_body(x, too_much_memory);
    }
}

// Passes the received bytes to the waiting reader.
void protocol::deliver_piece(h2_exchange& x) {
    x.waited += core_.loop.now() - x.waits_since;
    x.lent.clear();
    std::swap(x.lent, x.arrived);
    x.body = x.lent;
    x.body_ended = x.body_ended || x.client_done;
    if (!x.filter || x.filter->next(x)) std::exchange(x.reader, {}).resume();
}

void protocol::end_body(h2_exchange& x) {
    if (x.broken || x.body_ended || x.at == stage::complete) return;
    if (x.reader && !x.body_lent) return deliver_piece(x);
    if (!x.awaits_whole_body()) return;
    x.body_ended = true;
    x.body = x.collected;
    run(x);
}

void protocol::request_more_body(exchange& of) noexcept {
    auto& x = static_cast<h2_exchange&>(of);
    x.body_lent = false;
    consumed(x, x.lent.size());
    x.lent.clear();
    if (x.broken) return;
    if (!x.arrived.empty()) {
        std::swap(x.lent, x.arrived);
        x.body = x.lent;
        return;
    }
    x.body_ended = x.client_done;
    if (x.body_ended) return;
    if (x.continue_due) say_continue(x);
    x.waits_since = core_.loop.now();
    if (x.window) return;
    begin_window(x);
    x.judged_body = true;  // the reader is about to wait
}

void protocol::await_whole_body(served_exchange& of) {
    auto& x = static_cast<h2_exchange&>(of);
    settle(x);
    if (x.continue_due) say_continue(x);
    begin_window(x);
}

void protocol::say_continue(served_exchange& x) {
    constexpr unsigned go_on = 100;
    x.continue_due = false;
    char* const frame = output().room(block_room(0));
    char* to = encoder_.begin_block(frame + codec::http2::frame_head_size);
    to = codec::hpack::write_status(to, go_on);
    out_.wrote(frame_block(frame, to, static_cast<h2_exchange&>(x).stream, codec::http2::flag_none));
    core_.loop.later(*this);
}

}  // namespace apus::http::h2
