// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/utf8_checker.hpp"
#include "codec/websocket/deflate_offer.hpp"
#include "codec/websocket/frame_head.hpp"
#include "compression/message_deflate.hpp"
#include "http/exchange.hpp"
#include "runtime/loop.hpp"
#include "ws/session_span.hpp"

#include <apus/websocket.hpp>

#include <coroutine>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace apus::ws {

/// The side of the connection: clients mask their frames, servers must not (RFC 6455, 5.1).
enum class role : std::uint8_t {
    server,
    client
};

/// A writer that waits until a session can send again.
class waiting_writer {
public:
    /// Called when the session can send. Returns false if the writer has more to write.
    virtual bool on_writable() = 0;
    virtual void session_ended() noexcept = 0;

protected:
    ~waiting_writer() = default;

private:
    friend class session;
    waiting_writer* next_ = nullptr;
    waiting_writer** at_ = nullptr;
};

/// A coroutine that the transport resumes when it can send.
/// The transport cannot resume the handler itself, since the handler may be waiting for something else.
struct writable_waiter {
    struct promise_type {
        writable_waiter get_return_object() noexcept {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() const noexcept { return {}; }
        std::suspend_always final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        void unhandled_exception() const noexcept {}
    };
    std::coroutine_handle<promise_type> self;
};

/// A WebSocket on an exchange with an established tunnel.
/// Frames are parsed in the receive buffer. A message that is complete in this buffer is passed to the handler without
/// copying. While the handler is not receiving, the session answers control frames up to the first data frame, keeps
/// this frame, and then stops reading.
class session final : public http::body_filter, public http::drain_listener, runtime::timer {
public:
    session(http::exchange& on, const websocket_options& how, role as);
    session(const session&) = delete;
    session& operator=(const session&) = delete;
    ~session();

    // Receiving. At most one coroutine may wait.
    bool receive_ready() noexcept;  ///< Whether `take` has a result. Invalidates the previous message.
    void wait(std::coroutine_handle<> reader) noexcept;
    void stop_waiting() noexcept;
    std::optional<websocket_message> take() noexcept;  ///< Returns `std::nullopt` if the session is over.

    // Sending.
    bool send(codec::websocket::opcode, std::string_view bytes);  ///< Returns false if the session is over or closing.
    bool can_write() noexcept { return transport_.can_write(x_); }
    void wait_writable(std::coroutine_handle<> writer);
    void stop_waiting_writable() noexcept { writer_ = {}; }

    // Prefetches the data that `put_batch` uses; for callers that send to many sessions.
    void prefetch() const noexcept {
        __builtin_prefetch(&transport_), __builtin_prefetch(reinterpret_cast<const char*>(&transport_) - 64);
    }
    static session* of(const websocket& w) noexcept { return w.session_; }
    void attach(waiting_writer&) noexcept;
    static void detach(waiting_writer&) noexcept;
    void call_when_writable();              ///< Schedules a call of `on_writable` of the attached writer.
    unsigned window_bits() const noexcept;  ///< Size of the compression window in bits; 0: no compression.
    bool is_client() const noexcept { return role_ == role::client; }
    /// Sends the frame of one message. `put_batch`: the frames of several messages.
    void put_frame(std::string_view frame, bool compressed) {
        note_frames(1, frame.size(), compressed), transport_.write(x_, frame);
    }
    void put_batch(std::size_t messages, std::string_view frames, bool compressed) {
        note_frames(messages, frames.size(), compressed), transport_.write_batch(x_, frames);
    }

    void close(unsigned code, std::string_view reason);

    bool is_open() const noexcept { return !close_sent_ && !over_; }
    bool over() const noexcept { return over_; }
    unsigned code() const noexcept { return code_; }
    std::string_view reason() const noexcept { return reason_; }
    void set_resume_hint(std::string_view hint) { rare().resume_hint = hint; }

    /// Enables compression of messages in both directions.
    void compress(const codec::websocket::deflate_terms&);

    std::string_view subprotocol;  ///< Owned by the route or by the client's connection.

    // Called by the transport.
    bool next(http::exchange&) noexcept override;
    void drain(http::drain_cause) noexcept override;

private:
    friend class apus::websocket;

    // Implemented in receiving.cpp: parses bytes into messages.
    bool read_more();
    bool read_head();
    bool begin_frame();
    bool take_control();
    bool take_data();
    bool gather(std::string_view piece);
    bool inflate(std::string_view piece);
    bool give(std::string_view bytes) noexcept;
    void answer_control_frames() noexcept;
    void answer_close(std::string_view payload);
    bool take_piece() noexcept;
    bool next_piece() noexcept;
    bool background() noexcept;
    void discard_message() noexcept;
    std::size_t available() const noexcept { return static_cast<std::size_t>(end_ - at_); }

    // Implemented in session.cpp.
    void put(codec::websocket::opcode, std::string_view payload, bool compressed = false);
    void put_masked(codec::websocket::frame_head, std::string_view payload);
    void note_frames(std::size_t messages, std::size_t bytes, bool compressed) noexcept;
    void note_memory() noexcept;
    void begin_span() noexcept;
    void put_close(unsigned code, std::string_view reason);
    void close_for_drain();
    void fail(const codec::refusal&);
    void end(unsigned code, std::string_view static_reason);
    void wake() noexcept;
    void tick() noexcept;
    void set_clock() noexcept;
    std::uint64_t due() const noexcept;
    bool in_message() const noexcept { return in_message_ || in_frame_ || head_size_ != 0; }
    void begin_rate_window() noexcept;
    bool is_below_min_rate(std::uint64_t now);
    bool is_throttled() const noexcept { return !waiting_ && (!x_.reader || x_.body_lent); }

    // Data that few sessions have, so that idle sessions take little memory.
    struct rare_data {
        std::string gathered;  // the message, if it arrives in several frames or pieces
        std::string held;      // input received while the handler was not receiving
        std::string control;   // received bytes of an incomplete control frame
        std::string resume_hint;
        std::string reason;                                 // of the peer's Close frame
        char head_bytes[codec::websocket::max_frame_head];  // received bytes of an incomplete frame head
    };
    rare_data& rare() {
        if (!rare_) rare_ = std::make_unique<rare_data>();
        return *rare_;
    }
    std::size_t gathered_size() const noexcept { return rare_ ? rare_->gathered.size() : 0; }
    bool has_held() const noexcept { return rare_ && !rare_->held.empty(); }

    // State of compression. The compressor and the decompressor are created on first use.
    struct compressing {
        codec::websocket::deflate_terms terms;
        std::unique_ptr<compression::message_deflater> out;
        std::unique_ptr<compression::message_inflater> in;
        // another writer has sent compressed messages since `out` did, so the peer's window differs from that of `out`
        bool others_wrote = false;
    };

    // The members that are used when sending to many sessions are adjacent, since each further cache line would cost a
    // cache miss per session.
    http::exchange& x_;
    http::transport& transport_;
    runtime::loop& loop_;
    std::uint64_t last_message_at_ = 0;  // last message in either direction, in milliseconds of the loop's clock
    std::unique_ptr<compressing> deflate_;
    bool close_sent_ = false;
    bool over_ = false;  // nothing more will be received
    const role role_;
    std::uint16_t code_ = 0;              // of the end of the session
    std::unique_ptr<session_span> span_;  // null: not recorded

    const websocket_options& how_;
    websocket* handle_ = nullptr;  // the `websocket` of this session; updated when that object is moved

    // The message being received.
    codec::websocket::frame_rules rules_;
    bool in_frame_ = false;
    bool in_message_ = false;     // a frame of the message has ended, and further frames follow
    bool has_message_ = false;    // `message_` is set and `take` has not returned it yet
    bool waiting_ = false;        // the handler waits in `receive`
    bool in_held_ = false;        // the piece being parsed is `rare_data::held`
    std::uint8_t head_size_ = 0;  // bytes in `rare_data::head_bytes`
    char* at_ = nullptr;          // the unparsed part of the piece
    char* end_ = nullptr;
    codec::websocket::frame_head frame_;
    std::uint64_t taken_ = 0;     // bytes of the current frame's payload that are already processed
    std::uint64_t payloads_ = 0;  // sum of the payload sizes of the message's frames, from their heads
    websocket_message message_;
    std::unique_ptr<rare_data> rare_;
    std::uint32_t fragments_ = 0;
    std::uint32_t came_ = 0;  // payload bytes received in the rate window
    base::utf8_checker text_;
    codec::websocket::opcode kind_ = codec::websocket::opcode::text;
    bool compressed_ = false;  // the message being received is compressed
    bool restarts_ = false;    // the server restarts: the Close frame has the code 1012

    // Waiting writers.
    static writable_waiter make_writable_waiter(session&);
    std::coroutine_handle<> has_room();
    std::coroutine_handle<> writable_waiter_;
    std::coroutine_handle<> writer_;  // the handler, in `send`
    waiting_writer* attached_ = nullptr;

    std::string_view reason_;  // at the end of the session: static, or in `rare_data::reason`

    // Times are in milliseconds of the loop's clock; 0: not set.
    std::uint64_t last_received_at_ = 0;  // time of the last received bytes
    std::uint64_t last_ping_at_ = 0;
    std::uint64_t rate_window_end_ = 0;  // end of the window in which the rate of an incomplete message is measured
    std::uint64_t give_up_at_ = 0;
    std::uint64_t drain_at_ = 0;
};

// Idle sessions must take little memory: with this size, the frame of the coroutine with the session takes 640 bytes.
static_assert(sizeof(session) <= 328);

}  // namespace apus::ws
