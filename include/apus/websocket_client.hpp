// SPDX-License-Identifier: Apache-2.0
#pragma once

// WebSockets to other servers, in the style of those that a server has.

#include <apus/client.hpp>
#include <apus/websocket.hpp>

#include <string>
#include <string_view>

namespace apus {

namespace ws {
class caller;
class link;
}  // namespace ws

/// What an opening handshake asks for.
class websocket_request {
public:
    /// "ws://host:port/path?query", or "wss://..." by a client with `client_options::tls`, without which that is an
    /// error of 500.
    explicit websocket_request(std::string_view url) : url_(url) {}

    /// Offers a subprotocol, after those offered before. Throws `std::invalid_argument` if it is no token.
    websocket_request& subprotocol(std::string_view name);
    /// Adds a field. Throws like `response::header`, also for those of the handshake.
    websocket_request& header(std::string_view name, std::string_view value);
    /// Limits, times and whether to offer compression, as for a route. Origins and subprotocols in it are not looked
    /// at.
    websocket_request& bounds(const websocket_options& how);

private:
    friend class ws::caller;
    std::string url_, subprotocols_, fields_;
    websocket_options how_;
};

/// A WebSocket that this program has opened. Used as the `websocket` that it holds: `co_await chat->receive()`.
/// Destroyed while it is open, it cuts the connection: `close`, and then `receive` to the end, is the orderly way.
/// Must not outlive the loop that it was made on.
class websocket_client {
public:
    websocket_client(websocket_client&& other) noexcept : link_(std::exchange(other.link_, nullptr)) {}
    websocket_client& operator=(websocket_client&& other) noexcept {
        std::swap(link_, other.link_);
        return *this;
    }
    ~websocket_client();

    websocket& operator*() const noexcept;
    websocket* operator->() const noexcept { return &**this; }

private:
    friend class ws::caller;
    explicit websocket_client(ws::link* l) noexcept : link_(l) {}
    ws::link* link_;
};

/// Connects by a client, whose deadlines, bounds of a head, and `allow` hold; the connection counts among
/// its own. Fails as a request of it does, and with 502 if the server does not open a WebSocket, or
/// answers with what was not offered. Redirections are not followed.
task<websocket_client> connect_websocket(const client& by, websocket_request);

}  // namespace apus
