// SPDX-License-Identifier: Apache-2.0
#pragma once

// WebSocket server (RFC 6455): `app.websocket("/chat", handler)`. The handler of a session is a coroutine, usually with
// a loop. Broadcasts to many sessions: hub.hpp.

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

/// Limits and timeouts of a WebSocket route.
/// A session that exceeds a limit is closed with the close code in the limit's comment, and the handler's `receive`
/// then returns nullopt.
struct websocket_options {
    /// Subprotocols of the handler.
    /// The first of the client's offers that is in this list is selected; without a match, no subprotocol is used.
    std::vector<std::string> subprotocols = {};
    /// Additional allowed origins, such as "https://app.example"; "*" allows any origin.
    /// Pages of the same host are always allowed; pages of other origins get 403. Requests without `Origin`
    /// (non-browser clients) are accepted.
    std::vector<std::string> origins = {};

    std::uint64_t message = 1024 * 1024;  ///< Bytes of a message. Over it: 1009.
    std::uint64_t frame = 0;              ///< Bytes of a frame's payload. Over it: 1009. 0: equal to `message`.
    std::uint32_t fragments = 1024;       ///< Frames of a message. Over it: 1008.
    /// Minimum bytes per second of an incoming message, while the handler receives.
    /// Averaged over each `rate_window`. Below it: 1008. 0: no limit.
    std::uint32_t message_rate = 240;
    duration rate_window = seconds(5);  ///< Averaging period of `message_rate`.

    /// Enables permessage-deflate (RFC 7692) with clients that offer it.
    /// Do not enable it if messages mix secrets with text of other users: the compressed size reveals the secrets
    /// (BREACH).
    bool compress = false;
    std::uint32_t compress_from = 256;  ///< Minimum bytes of a message to compress.
    /// Base-2 logarithm n of the compression window, 9 to 15.
    /// The window keeps 2^n bytes of earlier messages; compression uses about ten times as much memory. 0: no context
    /// takeover; the memory is the same as for 12.
    unsigned window_bits = 12;

    duration ping = seconds(30);  ///< A client that sends nothing for this time gets a ping. 0: no pings.
    duration pong = seconds(10);  ///< Maximum time without data after a ping. Over it: 1006.
    duration idle = {};           ///< Maximum time without messages in both directions. Over it: 1001. 0: no limit.
    /// Timeout for the client's Close frame, and for the handler to end after the session.
    /// Over it, the connection is aborted, and the handler's task is cancelled.
    duration close = seconds(5);
};

/// A whole message.
struct websocket_message {
    std::string_view bytes;  ///< Valid until the next `receive`. Text is UTF-8.
    bool binary = false;     ///< False: text.

    operator std::string_view() const noexcept { return bytes; }
};

/// Awaitable: waits for a message. Returned by `websocket::receive`.
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

/// Awaitable: waits while too much output is unsent. Returned by `websocket::send`.
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

/// One end of a WebSocket. Responds to pings and closing handshakes without the handler.
///
/// On the server, it belongs to the handler's task, on that task's core. When the task ends, the session is closed with
/// 1000, or with 1011 if the task has failed. When the connection is lost, either `receive` returns nullopt, or the
/// task is cancelled at its current `co_await`.
class websocket {
public:
    websocket() noexcept = default;  ///< Creates a closed WebSocket.
    explicit websocket(ws::session& of) noexcept;
    websocket(websocket&& other) noexcept;
    websocket& operator=(websocket&& other) noexcept;
    ~websocket();

    /// `co_await` returns the next message, or nullopt after the session has ended.
    /// Closing is not an error. Between calls, at most one message is received from the client (backpressure).
    websocket_receive receive() noexcept { return websocket_receive(session_); }

    /// Sends a copy of a UTF-8 text.
    /// `co_await` waits while more than 64 KiB are unsent. Returns false, and sends nothing, if the session is closing
    /// or closed.
    websocket_send send(std::string_view text);
    /// Sends a copy of binary data, like `send`.
    websocket_send send_binary(std::string_view bytes);

    /// Sends a copy of a message of either type, such as one returned by `receive`.
    websocket_send send(const websocket_message& same);

    /// Starts the closing handshake.
    /// `receive` continues to return messages in flight, until the client's Close frame arrives. `code`: a code that
    /// may be sent (RFC 6455, 7.4), such as 1000, 1001, 1003, 1008, 1011, or 3000 to 4999; otherwise throws
    /// `std::invalid_argument`. `reason`: UTF-8, truncated to 123 bytes.
    void close(unsigned code = 1000, std::string_view reason = {});

    /// Sets the reason of the Close frame that is sent before a restart of the server, with code 1012.
    /// A client can use the reason, such as a token, to resume in the new process. UTF-8, truncated to 123 bytes.
    void resume_hint(std::string_view hint);

    /// True while the connection is open and neither end has closed the session.
    bool is_open() const noexcept;
    /// Close code of the peer. 1005: Close frame without a code; 1006: no Close frame; 0: open.
    unsigned close_code() const noexcept;
    std::string_view close_reason() const noexcept;  ///< Close reason of the peer.
    std::string_view subprotocol() const noexcept;   ///< The selected subprotocol, or empty.

private:
    friend class ws::session;
    ws::session* session_ = nullptr;
};

namespace detail {

/// A session that has not started yet.
/// Contains the handler, and the values of its parameters other than the websocket.
struct socket_start {
    void* self = nullptr;
    task<> (*run)(void* self, websocket peer) = nullptr;
    void (*destroy)(void* self) = nullptr;
};

/// Responds to an opening handshake: 101, or an error. Takes ownership of `start`.
void open_socket(request&, response& out, const websocket_options&, socket_start start);

void put_no_socket(response& out);  ///< Sets a 500: the handler of an ordinary route has a websocket parameter.
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
    capture_order order;

    template <class... A>
    struct with {
        static_assert(std::is_same_v<typename signature<F>::returns, task<>>,
                      "the handler of a WebSocket must be a coroutine that returns task<>");
        static_assert((0U + ... + std::is_same_v<A, websocket>) == 1,
                      "the handler of a WebSocket must take one apus::websocket, by value");
        static_assert((true && ... && (slot<A>::body == body_use::ignored)),
                      "the handler of a WebSocket must not take json, form or body_text: the opening handshake has "
                      "no body");

        static pending run(const step* here, request& req, response& out) {
            return open(*static_cast<const socket_route*>(here->self), req, out,
                        ordered_slot<slot<A>>(static_cast<const socket_route*>(here->self)->order)...);
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
erased erase_socket(F f, std::string_view at, const websocket_options& how) {
    check_options(how);
    using route = socket_route<F>;
    using opening = typename signature<F>::template arguments<route::template with>;
    return {new route{std::move(f), how, order_captures(at, calls<F>::names())},
            &opening::run,
            [](void* self) { delete static_cast<route*>(self); },
            body_use::streamed,
            &opening_handshake,
            calls<F>::needs()};
}

}  // namespace detail
}  // namespace apus
