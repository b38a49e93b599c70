// SPDX-License-Identifier: Apache-2.0
#include "http/h2/protocol.hpp"

#include "runtime/record_layer.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

// Life cycle of a connection: start, input, output of frames, drain, close.

namespace apus::http::h2 {

using namespace codec::http2;

namespace {

constexpr std::size_t max_unsent = 64 * 1024;  // unsent bytes; above this, no more frames are written

}  // namespace

protocol::protocol(core& own, http::connection& on)
    : http::protocol(own.shared, on),
      timer(tick),
      own_(own),
      resets_(core_.bounds.h2_resets),
      controls_(core_.bounds.h2_control_frames) {
    deferred::run = [](runtime::deferred& d) noexcept { static_cast<protocol&>(d).flush(); };
    ++core_.counts.h2_connections;
}

protocol::~protocol() {
    core_.loop.timers().remove(*this);
    core_.loop.forget(*this);
    ++core_.counts.h2_closed;
}

void protocol::begin(std::string_view bytes) {
    const limits& bounds = core_.bounds;
    const setting_value settings[] = {
        {setting::max_concurrent_streams, bounds.h2_streams},
        {setting::initial_window_size, bounds.h2_stream_window},
        {setting::max_header_list_size, bounds.field_bytes + bounds.request_line},
        {setting::enable_connect_protocol, 1},
        {setting::no_rfc7540_priorities, 1},
    };
    char* to = output().room(frame_head_size + sizeof settings + window_update_size);
    to = write_frame_head(to, {std::size(settings) * setting_size, frame_type::settings, flag_none, 0});
    for (const setting_value& s : settings) to = write_setting(to, s);
    if (bounds.h2_connection_window > default_window)
        to = write_window_update(to, 0, bounds.h2_connection_window - default_window);
    out_.wrote(to);
    idle_due_ = core_.due_in(bounds.head);
    watch_clock();
    if (core_.draining) drain();
    consume(bytes);
    if (phase_ == phase::open) core_.loop.io().receive(connection_);
}

void protocol::received(runtime::received_bytes b) {
    connection_.count_traffic(b.size);
    if (phase_ == phase::open) consume({b.data, b.size});
}

void protocol::consume(std::string_view bytes) {
    in_callback_ = true;
    read_frames(bytes);
    in_callback_ = false;
    watch_frame();
    flush();
}

void protocol::read_frames(std::string_view bytes) {
    frame_reader::item in;
    while (!terminated_ && phase_ == phase::open) {
        switch (reader_.next(bytes, in)) {
            case frame_reader::step::more: return;
            case frame_reader::step::head: admit(in.head); break;
            case frame_reader::step::frame: take_frame(in.head, in.payload); break;
            case frame_reader::step::data: take_data(in); break;
            case frame_reader::step::invalid_preface:
            case frame_reader::step::invalid_padding: return fail_connection(error_code::protocol_error);
        }
    }
}

// Writes and sends all frames that are due.
void protocol::flush() {
    if (in_callback_ || phase_ == phase::leaving) return;
    core_.loop.forget(*this);
    if (doomed_) release_doomed();
    if (postponed_) run_postponed();
    if (deferred_window_) return_deferred_window();
    const std::size_t held = bodies_ + connection_.output_memory();
    if (connection_.unsent() < max_unsent && (broken_ || !connection_.yielded())) send_frames();
    if (doomed_) release_doomed();
    settle_memory();
    if (client_ended_ && unsent_exchanges_ && !connection_.unsent() && !connection_.yielded()) reset_blocked();
    if (is_over()) return leave();
    // Streams that wait for memory may continue now. If the socket has taken all output at once, no event follows, so
    // the flush is scheduled here.
    if ((postponed_ || deferred_window_) && bodies_ + connection_.output_memory() < held) core_.loop.later(*this);
    auto& io = core_.loop.io();
    // While responses wait for flow-control windows, reading continues, because the client must send WINDOW_UPDATE
    // frames.
    if ((connection_.throttle(core_) && !unsent_exchanges_) || connection_.unsent() >= max_unsent) {
        if (!std::exchange(paused_, true)) io.pause(connection_);
    } else if (paused_ && connection_.unsent() < max_unsent / 2) {
        paused_ = false;
        io.receive(connection_);
        check_body_rates();
    }
    if (unsent_exchanges_ || connection_.unsent()) watch_sending();
}

// Returns true if the connection has nothing left to send or receive.
bool protocol::is_over() const noexcept {
    return broken_ || (out_.empty() &&
                       (terminated_ || (!first_ && (client_ended_ || last_stream_announced_ || goaway_received_))));
}

bool protocol::has_output() const noexcept { return !out_.empty() || may_send_data(); }

// Returns the queue of frames. An empty queue first takes the core's spare memory. As long as each socket takes its
// output at once, all connections share this memory.
frame_buffer& protocol::output() noexcept {
    if (!out_.capacity()) out_.swap(own_.spare);
    return out_;
}

void protocol::send_frames() {
    auto& io = core_.loop.io();
    auto& arena = io.arena();
    in_callback_ = true;
    while (connection_.unsent() < max_unsent && has_output()) {
        // The GOAWAY with the reason for closing is sent even if the connection's share of this event loop iteration is
        // used up.
        const std::size_t room = broken_ ? max_batch_bytes : io.room_for(connection_);
        if (!room) {
            io.yield(connection_);
            break;
        }
        const std::size_t most = std::min(room, max_batch_bytes);
        arena.begin();
        if (!out_.empty()) {
            const std::size_t n = std::min(out_.size(), most);
            char* to = arena.room(n);
            std::memcpy(to, out_.bytes().data(), n);
            arena.wrote(to + n);
            out_.consume(n);
            answered_ = 0;
        }
        while (out_.empty() && arena.batch().size() < most && send_data(arena)) {}
        const std::string_view batch = arena.batch();
        if (!batch.empty()) io.send(connection_, batch, runtime::after::keep_open);
        arena.begin();
        if (broken_) break;
    }
    in_callback_ = false;
    if (out_.empty()) answered_ = 0, return_output();
}

void protocol::return_output() noexcept {
    constexpr std::size_t max_kept = 64 * 1024;
    acks_ = 0;
    if (!own_.spare.capacity() && out_.capacity() <= max_kept) out_.swap(own_.spare);
    else out_.release();
}

// Releases memory that a connection without streams does not need.
void protocol::rest() {
    streams_.release();
    history_.reset();
    forgotten_stream_ = last_stream_;
    priorities_.reset();
    decoder_.shrink();
    settle_memory();
}

// Resets streams that wait for a flow-control window: a client that has shut down sending cannot send WINDOW_UPDATE.
void protocol::reset_blocked() {
    for (auto* x = first_; x;) {
        auto* following = x->next;
        if (x->has_unsent_data) reset(*x, error_code::cancel);
        x = following;
    }
    send_frames();
}

void protocol::drained() {
    socket_window_ = 0;
    if (phase_ == phase::open) core_.loop.later(*this);
}

void protocol::progressed(std::size_t bytes) {
    out_bytes_ += static_cast<std::uint32_t>(bytes);
    connection_.count_traffic(bytes);
    settle_memory();
    if (phase_ == phase::open && connection_.unsent() < max_unsent / 2) core_.loop.later(*this);
}

// Accepts new streams during the drain grace, because some may be in transit. Then announces the last stream by a
// GOAWAY (RFC 9113, 6.8).
void protocol::drain() {
    for (auto* x = first_; x; x = x->next)
        if (x->on_drain) x->on_drain->drain(core_.draining_for);
    if (phase_ == phase::leaving || last_stream_announced_ || drain_due_) return;
    send_goaway(max_stream, error_code::no_error);
    drain_due_ = core_.due_in(drain_grace());
    watch_clock();
    core_.loop.later(*this);
}

void protocol::end_gracefully() {
    drain_due_ = 0;
    if (std::exchange(last_stream_announced_, true)) return;
    send_goaway(processed_stream_, error_code::no_error);
}

void protocol::abandon() noexcept {
    if (phase_ == phase::leaving) return core_.loop.io().close(connection_);
    close_connection();
}

void protocol::ended(int error) {
    if (phase_ == phase::leaving) return core_.loop.io().close(connection_);
    if (error != 0 || (first_ && connection_.peer_disconnected())) return close_connection();
    // A client that has shut down sending may still read: its complete requests get responses.
    client_ended_ = true;
    frame_due_ = 0;
    if (first_) {
        connection_.probe_peer();
        expect_window();
    }
    for (auto* x = first_; x;) {
        auto* following = x->next;
        if (!x->client_done) reset(*x, error_code::cancel);
        x = following;
    }
    core_.loop.later(*this);
}

// Shuts down sending after the last frame, and lingers until the client closes.
void protocol::leave() {
    auto& io = core_.loop.io();
    while (first_) release(*first_);
    phase_ = phase::leaving;
    handler_due_ = frame_due_ = drain_due_ = rest_due_ = 0;
    idle_due_ = core_.due_in(core_.hurries() ? http::core::stop_grace : linger_timeout);
    if (connection_.unsent()) watch_sending();
    watch_clock();
    if (client_ended_) return io.finish(connection_, runtime::after::close);
    io.finish(connection_, runtime::after::half_close);
    io.receive(connection_);  // discards input until the client closes
}

void protocol::close_connection() noexcept {
    phase_ = phase::leaving;
    idle_due_ = rest_due_ = handler_due_ = frame_due_ = drain_due_ = window_due_ = 0;
    core_.loop.timers().remove(*this);
    core_.loop.forget(*this);
    while (first_) release(*first_);
    settle_memory();
    if (connection_.unsent()) core_.loop.io().reset(connection_);
    else core_.loop.io().close(connection_);
}

}  // namespace apus::http::h2
