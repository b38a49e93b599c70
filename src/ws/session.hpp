// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/utf8_checker.hpp"
#include "codec/websocket/deflate_offer.hpp"
#include "codec/websocket/frame_head.hpp"
#include "compression/message_deflate.hpp"
#include "http/body_filter.hpp"
#include "http/exchange.hpp"
#include "runtime/loop.hpp"

#include <apus/websocket.hpp>

#include <coroutine>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace apus::ws {

/// Which end this is: a client masks what it sends, a server must not (RFC 6455, 5.1).
enum class role : std::uint8_t {
    server,
    client
};

/// Somebody who has more to write to a session than there was room for.
class waiting_writer {
public:
    virtual bool write_on() = 0;  ///< There is room. False: and still more to write.
    virtual void session_ended() noexcept = 0;

protected:
    ~waiting_writer() = default;

private:
    friend class session;
    waiting_writer* next_ = nullptr;
    waiting_writer** at_ = nullptr;
};

/// Resumed by the carrier when there is room, in place of the handler, who may come later.
struct room_bell {
    struct promise_type {
        room_bell get_return_object() noexcept { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() const noexcept { return {}; }
        std::suspend_always final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        void unhandled_exception() const noexcept {}
    };
    std::coroutine_handle<promise_type> self;
};

/// A WebSocket on an exchange that has become a tunnel. Frames are read out of the bytes as they lie
/// in the buffer they came in: a message that is there whole is given out from there.
///
/// While nobody receives, control frames are answered as they come, up to the first that is none: what
/// is behind it waits, and so does the other end.
class session final : public http::body_filter, public http::tenant {
public:
    session(http::exchange& on, const websocket_options& how, role as);
    session(const session&) = delete;
    session& operator=(const session&) = delete;
    ~session();

    // Receiving. One waits at a time.
    bool receive_ready() noexcept;  ///< Whether `take` has something to give. The message before is given up.
    void wait(std::coroutine_handle<> reader) noexcept;
    void stop_waiting() noexcept;
    std::optional<websocket_message> take() noexcept;  ///< Nothing where the session is over.

    // Sending.
    bool send(codec::websocket::opcode, std::string_view bytes);  ///< False: over, or closing.
    bool may_go_on() noexcept { return via_.write_may_go_on(x_); }
    void wait_for_room(std::coroutine_handle<> writer);
    void stop_waiting_for_room() noexcept { writer_ = {}; }

    // For those who send the same frames to many.
    /// Of what `put_batch` needs.
    void bring_near() const noexcept {
        __builtin_prefetch(&via_), __builtin_prefetch(reinterpret_cast<const char*>(&via_) - 64);
    }
    static session* of(const websocket& w) noexcept { return w.session_; }
    void attach(waiting_writer&) noexcept;
    static void detach(waiting_writer&) noexcept;
    void call_when_room();                  ///< Calls `write_on` of who is attached.
    unsigned window_bits() const noexcept;  ///< Of the window that messages may be compressed with; 0: none.
    bool is_client() const noexcept { return role_ == role::client; }
    void put_frames(std::string_view frames, bool compressed) { note_frames(compressed), via_.write(x_, frames); }
    void put_batch(std::string_view frames, bool compressed) { note_frames(compressed), via_.write_batch(x_, frames); }

    void close(unsigned code, std::string_view reason);
    /// From now on its deadline is that of the closing handshake.
    void handler_ended() noexcept { handler_ended_ = true; }

    bool is_open() const noexcept { return !close_sent_ && !over_; }
    bool over() const noexcept { return over_; }
    unsigned code() const noexcept { return code_; }
    std::string_view reason() const noexcept { return reason_; }

    /// Messages may be compressed from now on.
    void compress(const codec::websocket::deflate_terms&);

    std::string subprotocol;

    // Called by the carrier.
    bool next(http::exchange&) noexcept override;
    void drain() noexcept override { close(1001, "the server stops"); }

private:
    friend class apus::websocket;

    // receiving.cpp: from bytes to messages.
    bool read_on();
    bool read_head();
    bool begin_frame();
    bool take_control();
    bool take_data();
    bool gather(std::string_view piece);
    bool inflate(std::string_view piece);
    bool give(std::string_view bytes) noexcept;
    void answer_controls() noexcept;
    void answer_close(std::string_view payload);
    bool take_piece() noexcept;
    bool next_piece() noexcept;
    bool background() noexcept;
    void give_up_message() noexcept;
    std::size_t there() const noexcept { return static_cast<std::size_t>(end_ - at_); }

    // session.cpp
    void put(codec::websocket::opcode, std::string_view payload, bool compressed = false);
    void put_masked(codec::websocket::frame_head, std::string_view payload);
    void note_frames(bool compressed) noexcept;
    void note_memory() noexcept;
    void put_close(unsigned code, std::string_view reason);
    void fail(const codec::refusal&);
    void end(unsigned code, std::string_view reason);
    void wake() noexcept;
    void tick() noexcept;
    void set_clock() noexcept;
    std::uint64_t due() const noexcept;
    bool in_midst() const noexcept { return in_message_ || in_frame_ || head_size_ != 0; }
    void expect_rest() noexcept;
    bool arrives_too_slowly(std::uint64_t now);
    bool held_back() const noexcept { return !waiting_ && (!x_.reader || x_.body_lent); }

    // Where messages may be compressed; each is made when the first is.
    struct compressing {
        codec::websocket::deflate_terms terms;
        std::unique_ptr<compression::message_deflater> out;
        std::unique_ptr<compression::message_inflater> in;
        bool others_wrote = false;  // `out` has not seen all that the other end has in its window
    };

    // All that a message to many looks at stands together: a further line of memory is a miss for each member.
    http::exchange& x_;
    http::carrier& via_;
    runtime::loop& loop_;
    std::uint64_t said_at_ = 0;  // when a message went either way, in milliseconds of the loop
    std::unique_ptr<compressing> deflate_;
    bool close_sent_ = false;
    bool over_ = false;  // nothing more will be received
    const role role_;

    const websocket_options& how_;
    websocket* handle_ = nullptr;  // whoever has it now

    // What is being read.
    codec::websocket::frame_rules rules_;
    bool in_frame_ = false;
    bool in_message_ = false;     // between its frames
    bool has_message_ = false;    // in `message_`, for `take`
    bool waiting_ = false;        // in `receive`
    bool in_held_ = false;        // the piece is `held_`
    std::uint8_t head_size_ = 0;  // of `head_bytes_`
    char* at_ = nullptr;          // what of the piece is unread
    char* end_ = nullptr;
    codec::websocket::frame_head frame_;
    std::uint64_t taken_ = 0;     // of the frame's payload
    std::uint64_t payloads_ = 0;  // bytes of the message's frames, as their heads say
    websocket_message message_;
    codec::websocket::opcode kind_ = codec::websocket::opcode::text;
    std::uint32_t fragments_ = 0;
    std::string gathered_;  // a message that came in several frames or pieces
    std::string held_;      // what came while nobody received
    std::string control_;   // a control frame that came in pieces, so far
    base::utf8_checker text_;
    char head_bytes_[codec::websocket::max_frame_head];  // of a head that was cut
    bool compressed_ = false;                            // the message being read

    // Who waits for room.
    static room_bell ring(session&);
    std::coroutine_handle<> has_room();
    std::coroutine_handle<> bell_;
    std::coroutine_handle<> writer_;  // the handler, in `send`
    waiting_writer* attached_ = nullptr;

    // How it ends.
    bool handler_ended_ = false;
    std::uint16_t code_ = 0;
    std::string reason_;

    // Times are the loop's, in milliseconds; 0: not set.
    struct ticking : runtime::timer {
        session* of;
    } timer_;
    std::uint64_t heard_at_ = 0;  // when something came
    std::uint64_t pinged_at_ = 0;
    std::uint64_t rest_due_ = 0;  // the end of the window in which a message that has begun is judged
    std::uint32_t came_ = 0;      // bytes of its payload, in that window
    std::uint64_t give_up_at_ = 0;
};

}  // namespace apus::ws
