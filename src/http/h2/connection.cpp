// SPDX-License-Identifier: Apache-2.0
#include "http/h2/connection.hpp"

#include "runtime/record_layer.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

// The life of a connection: begun, fed, its frames sent, drained, closed.

namespace apus::http::h2 {
namespace {

constexpr std::size_t unsent_most = 64 * 1024;  // then no more frames are made for now

}  // namespace

connection::connection(core& own, http::connection& before)
    : http::connection(own.shared, before),
      own_(own),
      core_(own.shared),
      resets_(core_.bounds.h2_resets),
      controls_(core_.bounds.h2_control_frames) {
    timer_.of = this;
    timer_.fire = tick;
    flush_.of = this;
    flush_.run = [](runtime::deferred& d) noexcept { static_cast<flushing&>(d).of->flush(); };
    const auto made = own_.memory.make(own_.callbacks, this, own_.options);
    session_ = made.session;
    streams_ = made.streams;
    ++core_.counts.h2_connections;
}

connection::~connection() {
    core_.loop.timers().remove(timer_);
    core_.loop.forget(flush_);
    nghttp2_session_del(session_);
}

void connection::begin(std::string_view bytes) {
    const limits& bounds = core_.bounds;
    const nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, NGHTTP2_INITIAL_MAX_CONCURRENT_STREAMS},  // first: see tell_streams
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, bounds.h2_stream_window},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, bounds.field_bytes + bounds.request_line},
        {NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 1},
        {NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1},
    };
    nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings, std::size(settings));
    nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0,
                                          static_cast<std::int32_t>(bounds.h2_connection_window));
    quiet_due_ = core_.due_in(bounds.head);
    watch_clock();
    if (core_.draining) drain();
    consume(bytes);
    if (phase_ == phase::open) core_.loop.io().receive(*this);
}

void connection::received(runtime::received_bytes b) {
    count_moved(b.size);
    if (phase_ == phase::open) consume({b.data, b.size});
}

void connection::consume(std::string_view bytes) {
    in_session_ = true;
    walk_.each(bytes, [this](const frame_head& head) { note_frame(head); });
    const ssize_t used =
        nghttp2_session_mem_recv(session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    in_session_ = false;
    watch_frame();
    if (used == NGHTTP2_ERR_BAD_CLIENT_MAGIC) {
        ++core_.counts.refusals;
        nghttp2_session_terminate_session(session_, NGHTTP2_PROTOCOL_ERROR);
    }
    if (used == NGHTTP2_ERR_FLOODED || used == NGHTTP2_ERR_TOO_MANY_CONTINUATIONS) too_much(core_.counts.h2_floods);
    if (used < 0) broken_ = true;
    flush();
}

// Makes frames of what there is to say, and sends them.
void connection::flush() {
    if (in_session_ || phase_ == phase::leaving) return;
    core_.loop.forget(flush_);
    if (postponed_) run_postponed();
    if (withheld_) give_withheld();
    if (unsent() < unsent_most && (broken_ || !yielded())) send_frames();
    settle_memory();
    if (client_ended_ && owing_ && !unsent() && !yielded()) give_up_blocked();
    const bool over = broken_ || (!nghttp2_session_want_read(session_) && !nghttp2_session_want_write(session_));
    if (over || (client_ended_ && !first_)) return leave();
    auto& io = core_.loop.io();
    // A client with answers to take has to give window for them.
    if ((hold_back(core_) && !owing_) || unsent() >= unsent_most) {
        if (!std::exchange(paused_, true)) io.pause(*this);
    } else if (paused_ && unsent() < unsent_most / 2) {
        paused_ = false;
        io.receive(*this);
        watch_bodies();
    }
    if (owing_ || unsent()) watch_sending();
}

// The session takes a stream over the number that it has told of for an error of the connection, where
// RFC 9113, 5.1.2 lets it be refused alone. So it is told of no limit, its first frame tells the
// client of ours, and streams over it are refused as they begin.
void connection::tell_streams(char* settings) noexcept {
    constexpr std::size_t at = 9 + 2;  // behind the frame's head and the name of the first setting
    told_streams_ = true;
    for (unsigned i = 0; i < 4; ++i) settings[at + i] = static_cast<char>(core_.bounds.h2_streams >> (24 - 8 * i));
}

void connection::send_frames() {
    auto& io = core_.loop.io();
    auto& arena = io.arena();
    in_session_ = true;
    while (unsent() < unsent_most) {
        // A client is told why its connection ends, whatever it was sent before.
        const std::size_t room = broken_ ? batch_most : io.room_for(*this);
        if (!room) {
            if (nghttp2_session_want_write(session_)) io.yield(*this);
            break;
        }
        batch_most_ = static_cast<std::uint32_t>(std::min(room, batch_most));
        arena.begin();
        while (arena.batch().size() < batch_most_) {
            const std::uint8_t* frame;
            const ssize_t size = nghttp2_session_mem_send(session_, &frame);
            if (size < 0) broken_ = true;
            if (size <= 0) break;
            char* to = arena.room(static_cast<std::size_t>(size));
            std::memcpy(to, frame, static_cast<std::size_t>(size));
            if (!told_streams_) tell_streams(to);
            arena.wrote(to + size);
        }
        const std::string_view batch = arena.batch();
        if (!batch.empty()) io.send(*this, batch, runtime::after::go_on);
        arena.begin();
        if (batch.size() < batch_most_ || broken_) break;
    }
    in_session_ = false;
}

// Who sends no more gives no window either.
void connection::give_up_blocked() {
    for (auto* x = first_; x;) {
        auto* following = x->next;
        if (x->owing) reset(*x, NGHTTP2_CANCEL);
        x = following;
    }
    send_frames();
}

void connection::drained() {
    socket_window_ = 0;
    if (phase_ == phase::open) core_.loop.later(flush_);
}

void connection::progressed(std::size_t bytes) {
    out_ += static_cast<std::uint32_t>(bytes);
    count_moved(bytes);
    settle_memory();
    if (phase_ == phase::open && unsent() < unsent_most / 2) core_.loop.later(flush_);
}

// New streams are welcome for a moment, since some may be on their way: then the client is told which
// was the last (RFC 9113, 6.8).
void connection::drain() {
    for (auto* x = first_; x; x = x->next)
        if (x->lives_in) x->lives_in->drain();
    if (phase_ == phase::leaving || told_last_ || drain_due_) return;
    nghttp2_submit_shutdown_notice(session_);
    drain_due_ = core_.due_in(moment);
    watch_clock();
    core_.loop.later(flush_);
}

void connection::end_gracefully() {
    drain_due_ = 0;
    if (std::exchange(told_last_, true)) return;
    nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE, last_stream_, NGHTTP2_NO_ERROR, nullptr, 0);
    core_.loop.later(flush_);
}

void connection::abandon() noexcept {
    if (phase_ == phase::leaving) return core_.loop.io().close(*this);
    close();
}

void connection::ended(int error) {
    if (phase_ == phase::leaving) return core_.loop.io().close(*this);
    if (error != 0 || (first_ && peer_has_left())) return close();
    // A client that ends its side may still read: what it has asked for in full is answered.
    client_ended_ = true;
    frame_due_ = 0;
    if (first_) {
        probe_peer();
        expect_window();
    }
    for (auto* x = first_; x;) {
        auto* following = x->next;
        if (!x->client_done) reset(*x, NGHTTP2_CANCEL);
        x = following;
    }
    core_.loop.later(flush_);
}

// Everything has been said.
void connection::leave() {
    auto& io = core_.loop.io();
    while (first_) release(*first_);
    phase_ = phase::leaving;
    handler_due_ = frame_due_ = drain_due_ = rest_due_ = 0;
    quiet_due_ = core_.due_in(core_.draining ? moment : patience);
    if (unsent()) watch_sending();
    watch_clock();
    if (client_ended_) return io.finish(*this, runtime::after::close);
    io.finish(*this, runtime::after::half_close);
    io.receive(*this);  // what still comes is not wanted, but its end is
}

void connection::close() noexcept {
    phase_ = phase::leaving;
    quiet_due_ = rest_due_ = handler_due_ = frame_due_ = drain_due_ = window_due_ = 0;
    core_.loop.timers().remove(timer_);
    core_.loop.forget(flush_);
    while (first_) release(*first_);
    settle_memory();
    if (unsent()) core_.loop.io().reset(*this);
    else core_.loop.io().close(*this);
}

void connection::closed() noexcept {
    tell_closed(core_);
    delete this;
}

}  // namespace apus::http::h2
