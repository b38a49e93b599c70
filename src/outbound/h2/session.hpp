// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/hpack/decoder.hpp"
#include "codec/hpack/encoder.hpp"
#include "codec/http1/request_head.hpp"
#include "codec/http2/frame.hpp"
#include "http/h2/frame_buffer.hpp"
#include "http/h2/frame_reader.hpp"
#include "http/h2/rate_limiter.hpp"
#include "http/h2/stream_history.hpp"
#include "outbound/h2/request_block.hpp"
#include "outbound/h2/response_fields.hpp"
#include "outbound/h2/stream.hpp"

#include <apus/error.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace apus::outbound::h2 {

/// The client's side of an HTTP/2 connection (RFC 9113), without I/O: bytes in, bytes out.
/// Pass each stream to `leave` before the stream or the session is destroyed.
///
/// `receive` does not call streams: it queues the streams that have events. Each call of `deliver` calls one of these
/// streams. That stream may call any function of the session.
class session {
public:
    static constexpr std::uint32_t stream_window = 256 * 1024;           ///< Maximum bytes of unread body per stream.
    static constexpr std::uint32_t connection_window = 2 * 1024 * 1024;  ///< Maximum bytes of all unread bodies.
    static constexpr std::uint32_t assumed_streams = 100;  ///< Maximum open streams if the server announces no limit.
    static constexpr std::uint32_t max_streams = 1'000;    ///< Maximum open streams even if the server allows more.
    static constexpr std::size_t high_water = 64 * 1024;   ///< Unsent bytes of a body above which its writer waits.
    static constexpr unsigned max_continuations = 8;       ///< CONTINUATION frames per header block.
    static constexpr std::uint32_t max_controls = 1'000;   ///< Burst of frames without effect; refill: 100 per second.

    /// Appends the preface and SETTINGS to `output`. `head` limits response heads and trailers.
    explicit session(const codec::http1::head_limits& head);
    session(const session&) = delete;
    session& operator=(const session&) = delete;

    /// Processes bytes of the server. `now` is in milliseconds.
    void receive(std::string_view bytes, std::uint64_t now);
    /// Call when the connection has ended. Streams without a complete response fail with this error.
    void end(const error& why);

    /// Begins a request. Call only if `available()` is not 0. `ends`: the request has no body.
    void open(stream&, const request_head&, bool ends);
    void send(stream&, std::string_view bytes);  ///< Appends to the request's body. Ignores bytes that cannot be sent.
    void send_end(stream&);                      ///< Ends the request's body.
    /// Replaces `into` by the received bytes of the body, at most `stream_window`.
    void take(stream&, std::string& into);
    /// Allows the server to send `bytes` further bytes.
    /// Call after the reader has processed as many bytes from `take`.
    void return_window(stream&, std::size_t bytes);
    /// Removes the stream, and resets it if it is not complete.
    void leave(stream&);

    /// Appends DATA frames of about `room` bytes to `output`, as far as the windows permit.
    void write_data(std::size_t room);
    /// Frames to be sent. The caller removes the bytes that are sent.
    http::h2::frame_buffer& output() noexcept { return out_; }
    /// Calls one stream that has an event. Returns false if no stream has an event.
    bool deliver();
    bool has_events() const noexcept { return !ready_.empty(); }

    /// Appends GOAWAY to `output`; the session opens no further streams.
    void close();

    /// Number of further streams that may be opened now.
    std::uint32_t available() const noexcept;
    std::size_t streams() const noexcept { return streams_.size(); }  ///< Open streams.
    bool has_settings() const noexcept { return settings_received_; }
    bool leaving() const noexcept { return leaving_; }  ///< No further stream can be opened.
    /// Set if the server violated the protocol. Close the connection after `output` is sent.
    const std::optional<error>& failure() const noexcept { return failure_; }

private:
    using frame_head = codec::http2::frame_head;
    using error_code = codec::http2::error_code;

    // session.cpp
    std::uint32_t stream_limit() const noexcept;
    void note_event(stream&);
    void note_room(stream&);
    void enqueue(stream&);
    bool write_some(stream&, std::size_t room);
    void end_sending(stream&);
    void unlist(stream&);
    void write_reset(std::uint32_t id, error_code);
    void fail(stream&, error_code, std::string why);
    void fail_unprocessed(stream&, std::string why);
    void abort(stream&, error);
    void terminate(error_code, std::string_view why);
    bool take_control(std::uint64_t n = 1);
    stream* find(std::uint32_t id) const noexcept;
    bool is_idle(std::uint32_t id) const noexcept { return id >= next_id_ || id % 2 == 0; }

    // frames.cpp
    bool admit(const frame_head&);
    void take_frame(const frame_head&, std::string_view payload);
    void begin_data(const frame_head&);
    void take_data(const http::h2::frame_reader::item&);
    void take_reset(const frame_head&, std::string_view payload);
    void take_settings(const frame_head&, std::string_view payload);
    void take_ping(const frame_head&, std::string_view payload);
    void take_goaway(std::string_view payload);
    void take_window_update(const frame_head&, std::string_view payload);
    bool resize_windows(std::uint32_t initial);
    void return_window(std::size_t bytes);
    void end_response(stream&);

    // heads.cpp
    void take_headers(const frame_head&, std::string_view payload);
    void take_continuation(const frame_head&, std::string_view payload);
    void take_block(std::string_view fragment, bool ends);
    bool take_field(std::string_view& in);
    void end_block();
    void end_head(stream&);

    codec::http1::head_limits limits_;
    http::h2::frame_buffer out_;
    http::h2::frame_reader reader_ = http::h2::frame_reader::of_server();
    codec::hpack::decoder decoder_;
    codec::hpack::encoder encoder_;
    http::h2::stream_history history_;
    http::h2::rate_limiter controls_{max_controls};
    std::unordered_map<std::uint32_t, stream*> streams_;
    std::deque<stream*> sending_;  // streams that may send
    std::deque<stream*> ready_;    // streams with events
    std::optional<error> failure_;

    // The current header block.
    response_fields fields_;
    std::string scratch_;         // room for decoded strings
    std::string cut_;             // incomplete field at the end of a fragment
    stream* block_ = nullptr;     // stream of the block; null: skipped
    std::uint32_t block_id_ = 0;  // 0: no block
    unsigned continuations_ = 0;
    bool block_ends_stream_ = false;

    stream* data_ = nullptr;  // stream of the current DATA frame; null: skipped
    std::uint64_t now_ = 0;
    std::uint32_t next_id_ = 1;
    std::uint32_t peer_streams_ = assumed_streams;
    std::uint32_t frame_size_ = codec::http2::default_frame_size;
    std::int64_t first_window_ = codec::http2::default_window;  // server's window for each new stream
    std::int64_t send_window_ = codec::http2::default_window;   // server's window for the connection
    std::uint32_t received_ = 0;                                // bytes of the client's window used by the server
    std::uint32_t returned_ = 0;                                // bytes of `received_` for the next WINDOW_UPDATE
    bool settings_received_ = false;
    bool settings_acknowledged_ = false;
    bool leaving_ = false;
    bool closed_ = false;
};

}  // namespace apus::outbound::h2
