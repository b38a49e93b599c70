// SPDX-License-Identifier: Apache-2.0
#pragma once

// WebSocket client, with the interface of the server's WebSockets.

#include <apus/client.hpp>
#include <apus/websocket.hpp>

#include <string>
#include <string_view>

namespace apus {

namespace ws {
class caller;
class client_connection;
}  // namespace ws

/// Parameters of an opening handshake.
class websocket_request {
public:
    /// `url`: "ws://host:port/path?query" or "wss://...".
    /// A wss URL requires a client with `client_options::tls`; otherwise `connect_websocket` fails with 500.
    explicit websocket_request(std::string_view url) : url_(url) {}

    /// Appends a subprotocol to the offers. Throws `std::invalid_argument` if `name` is not a token.
    websocket_request& subprotocol(std::string_view name);
    /// Adds a header field. Throws like `response::header`, and for fields of the handshake.
    websocket_request& header(std::string_view name, std::string_view value);
    /// Sets limits, timeouts and compression, as for a route. `origins` and `subprotocols` are ignored.
    websocket_request& options(const websocket_options& how);

private:
    friend class ws::caller;
    std::string url_, subprotocols_, fields_;
    websocket_options how_;
};

/// Client side of a WebSocket. `->` gives the members of `websocket`: `co_await chat->receive()`.
/// The destructor aborts an open connection. For a clean shutdown, call `close`, then `receive` until it returns
/// nullopt. Must not outlive its event loop.
class websocket_client {
public:
    websocket_client(websocket_client&& other) noexcept : connection_(std::exchange(other.connection_, nullptr)) {}
    websocket_client& operator=(websocket_client&& other) noexcept {
        std::swap(connection_, other.connection_);
        return *this;
    }
    ~websocket_client();

    websocket& operator*() const noexcept;
    websocket* operator->() const noexcept { return &**this; }

private:
    friend class ws::caller;
    explicit websocket_client(ws::client_connection* l) noexcept : connection_(l) {}
    ws::client_connection* connection_;
};

/// Opens a WebSocket with the timeouts, head limits and `allow` of a client.
/// The WebSocket counts as one of the client's connections. Fails like a request of the client. Also fails with 502 if
/// the server does not open a WebSocket, or selects a subprotocol or extension that was not offered. Redirects are not
/// followed.
task<websocket_client> connect_websocket(const client& by, websocket_request);

}  // namespace apus
