// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/pool.hpp"
#include "ws/session.hpp"

#include <apus/websocket_client.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace apus::ws {

/// The transport of a WebSocket session on a client connection.
/// On the server, a tunnel has this role.
class client_connection final : public http::transport, private outbound::transport::watcher {
public:
    client_connection(outbound::pool_hold pool, outbound::pool::lease lease, const websocket_options& how);
    client_connection(const client_connection&) = delete;
    client_connection& operator=(const client_connection&) = delete;
    ~client_connection() { io().idle_watcher = nullptr; }

    session& ws_session() noexcept { return session_; }
    websocket& handle() noexcept { return handle_; }
    void set_subprotocol(std::string_view selected) { session_.subprotocol = subprotocol_ = selected; }

    // Called by the session.
    void finished(http::exchange&) noexcept override {}
    void request_more_body(http::exchange&) noexcept override;
    void refuse_body(http::exchange&, const codec::refusal&) noexcept override {}
    void write(http::exchange&, std::string_view bytes) override { io().send(bytes); }
    bool can_write(http::exchange&) noexcept override { return io().unsent() <= outbound::transport::high_water; }
    void find_address(http::exchange&) override {}

private:
    outbound::transport& io() noexcept { return lease_.io(); }
    void on_event(outbound::transport&) noexcept override;
    void has_room(outbound::transport&) noexcept override;

    outbound::pool_hold pool_;
    outbound::pool::lease lease_;
    const websocket_options how_;
    std::string subprotocol_;
    http::exchange x_;
    session session_;
    websocket handle_;
};

}  // namespace apus::ws
