// SPDX-License-Identifier: Apache-2.0
#pragma once

// WebSocket (RFC 6455): `app.socket("/chat", handler)`, where a session is a coroutine with a loop in it.
// Rooms of many members are in hub.hpp.

#include <apus/app.hpp>
#include <apus/duration.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus {

namespace ws {
class session;
}

/// What a route of WebSockets takes, and how long it waits. What breaks a limit is closed with the
/// code named, and its handler's `receive` gives nothing more.
struct websocket_options {
    /// Those that the handler speaks. The first that the client offers and that is here is chosen; if there is none,
    /// none is.
    std::vector<std::string> subprotocols = {};
    /// Other origins whose pages may connect, such as "https://app.example"; "*" is any. Pages of the own host always
    /// may, others get 403, and what is no browser sends no Origin and is let in.
    std::vector<std::string> origins = {};

    std::uint64_t message = 1024 * 1024;  ///< Bytes of a message. Over it: 1009.
    std::uint64_t frame = 0;              ///< Bytes of a frame's payload. Over it: 1009. 0: as `message`.
    std::uint32_t fragments = 1024;       ///< Frames of a message. Over it: 1008.
    /// Bytes a second, on average over each `rate_window`, that must come from the first byte of a message to its
    /// last while the handler receives. Then 1008. 0: no limit.
    std::uint32_t message_rate = 240;
    duration rate_window = seconds(5);  ///< What `message_rate` is measured over.

    /// By permessage-deflate (RFC 7692), with clients that offer it. Not for what mixes secrets with texts of others:
    /// their sizes tell of them.
    bool compress = false;
    std::uint32_t compress_from = 256;  ///< Bytes of a message; smaller ones are sent as they are.
    /// From 9 to 15: a session remembers 2 to the power of so many bytes of messages before, and takes ten times as
    /// much memory. 0: nothing, and the memory of 12.
    unsigned window_bits = 12;

    duration ping = seconds(30);  ///< A client of which nothing comes for so long is sent a ping. 0: never.
    duration pong = seconds(10);  ///< If nothing comes for so long after that, it is taken for gone: 1006.
    duration idle = {};           ///< Without a message in either direction for so long: 1001. 0: no limit.
    /// For the client's answer to a Close frame; and for the handler to end when the session has. Then the connection
    /// is cut, and the handler's task cancelled.
    duration close = seconds(5);
};

/// A whole message.
struct websocket_message {
    std::string_view bytes;  ///< Valid until the next `receive`. Text is UTF-8.
    bool binary = false;     ///< Else it is text.

    operator std::string_view() const noexcept { return bytes; }
};

/// Waits for a message. Made by `websocket::receive`.
class [[nodiscard]] websocket_receive {
public:
    explicit websocket_receive(ws::session* of) noexcept : of_(of) {}
    websocket_receive(const websocket_receive&) = delete;
    websocket_receive& operator=(const websocket_receive&) = delete;
    ~websocket_receive();

    bool await_ready() noexcept;
    void await_suspend(std::coroutine_handle<> reader) noexcept;
    std::optional<websocket_message> await_resume() noexcept;

private:
    ws::session* of_;
    bool waits_ = false;
};

/// Waits until a message that was sent leaves room for more. Made by `websocket::send`.
class [[nodiscard]] websocket_send {
public:
    websocket_send(ws::session* of, bool sent) noexcept : of_(of), sent_(sent) {}
    websocket_send(const websocket_send&) = delete;
    websocket_send& operator=(const websocket_send&) = delete;
    ~websocket_send();

    bool await_ready() noexcept;
    void await_suspend(std::coroutine_handle<> writer);
    bool await_resume() const noexcept { return sent_; }

private:
    ws::session* of_;
    bool sent_;
    bool waits_ = false;
};

/// One end of a WebSocket. Pings are answered, and closing handshakes made, without the handler.
///
/// Belongs to the task that it was given to, on that task's core. When that task ends, the session is
/// closed: with 1000, or with 1011 if it failed. When the client has gone or the connection is cut, the
/// task is cancelled where it waits, or `receive` gives nothing.
class websocket {
public:
    websocket() noexcept = default;  ///< Closed.
    explicit websocket(ws::session& of) noexcept;
    websocket(websocket&& other) noexcept;
    websocket& operator=(websocket&& other) noexcept;
    ~websocket();

    /// `co_await` gives the next message, or nothing when the session has ended: closing is no error.
    /// While nobody receives, no more than one message's worth is read from the client.
    websocket_receive receive() noexcept { return websocket_receive(session_); }

    /// Sends a text, which must be UTF-8 and is copied. `co_await` waits while more than 64 KiB are
    /// unsent, and gives false if the session is over or closing, in which case nothing was sent.
    websocket_send send(std::string_view text);
    /// The same for any bytes.
    websocket_send send_binary(std::string_view bytes);

    /// The same for a message as it is, as one that was received.
    websocket_send send(const websocket_message& same);

    /// Says that nothing more will be sent. `receive` goes on to give what was on its way, until the
    /// client has answered. `code` is 1000, 1001, 1003, 1008, 1011 or from 3000 to 4999, or another that
    /// may be sent (RFC 6455, 7.4; `std::invalid_argument` is thrown otherwise); of `reason`, UTF-8, 123 bytes are
    /// sent.
    void close(unsigned code = 1000, std::string_view reason = {});

    /// Neither end has said that it closes, and the connection is there.
    bool is_open() const noexcept;
    /// What the other end gave when it closed; 1005 if nothing; 1006 if it went without a word; 0 before.
    unsigned close_code() const noexcept;
    std::string_view close_reason() const noexcept;  ///< The text beside it.
    std::string_view subprotocol() const noexcept;   ///< The one agreed upon, or empty.

private:
    friend class ws::session;
    ws::session* session_ = nullptr;
};

namespace detail {

/// A session that has still to begin: the handler, with the values of its other parameters.
struct socket_start {
    void* self = nullptr;
    task<> (*run)(void* self, websocket peer) = nullptr;
    void (*destroy)(void* self) = nullptr;
};

/// Answers an opening handshake: 101, or why not. Takes over `start`.
void open_socket(request&, response& out, const websocket_options&, socket_start start);

void put_no_socket(response& out);  ///< 500: a handler of another kind of route takes a websocket.
void check_options(const websocket_options&);

template <>
struct slot<websocket> {
    static constexpr unsigned captures = 0;
    static constexpr body_use body = body_use::ignored;
    static constexpr bool sees_request = false;
    websocket value;
    bool fill(request&, unsigned&, response& out) { return put_no_socket(out), false; }
    websocket give() noexcept { return std::move(value); }
};

template <class S>
bool fill_beside_socket(S& s, request& req, unsigned& index, response& out) {
    if constexpr (std::is_same_v<S, slot<websocket>>) return true;
    else return s.fill(req, index, out);
}

template <class F>
struct socket_route {
    F handler;
    websocket_options how;

    template <class... A>
    struct with {
        static_assert(std::is_same_v<typename signature<F>::returns, task<>>,
                      "the handler of a socket is a coroutine that returns task<>");
        static_assert((0U + ... + std::is_same_v<A, websocket>) == 1,
                      "the handler of a socket takes one apus::websocket, by value");
        static_assert((true && ... && (slot<A>::body == body_use::ignored)),
                      "an opening handshake has no body: the handler of a socket takes no json, form or body_text");

        static pending run(const step* here, request& req, response& out) {
            return open(*static_cast<const socket_route*>(here->self), req, out, slot<A>{}...);
        }
        static pending open(const socket_route& of, request& req, response& out, slot<A>... slots) {
            [[maybe_unused]] unsigned index = 0;
            if (!(fill_beside_socket(slots, req, index, out) && ...)) return {};
            auto begin = [&f = of.handler, ... filled = std::move(slots)](websocket peer) mutable {
                (hand_over(filled, peer), ...);
                return f(filled.give()...);
            };
            using beginning = decltype(begin);
            open_socket(req, out, of.how,
                        {new beginning(std::move(begin)),
                         [](void* self, websocket peer) { return (*static_cast<beginning*>(self))(std::move(peer)); },
                         [](void* self) { delete static_cast<beginning*>(self); }});
            return {};
        }
        template <class S>
        static void hand_over(S& s, websocket& peer) {
            if constexpr (std::is_same_v<S, slot<websocket>>) s.value = std::move(peer);
        }
    };
};

inline constexpr operation opening_handshake{nullptr, 0, {content::nothing, 101}};

template <class F>
erased erase_socket(F f, const websocket_options& how) {
    check_options(how);
    using route = socket_route<F>;
    using opening = typename signature<F>::template arguments<route::template with>;
    return {new route{std::move(f), how}, &opening::run,      [](void* self) { delete static_cast<route*>(self); },
            body_use::streamed,           &opening_handshake, calls<F>::needs()};
}

}  // namespace detail
}  // namespace apus
