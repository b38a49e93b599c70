// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/pool.hpp"
#include "ws/session.hpp"

#include <apus/websocket_client.hpp>

#include <optional>
#include <utility>

namespace apus::ws {

/// The transport of a WebSocket session on a client connection; a tunnel is its counterpart on a
/// server.
class link final : public http::transport, private outbound::transport::watcher {
public:
    link(outbound::pool_hold pool, outbound::pool::lease lease, const websocket_options& how);
    link(const link&) = delete;
    link& operator=(const link&) = delete;
    ~link() { io().idle_watcher = nullptr; }

    session& talk() noexcept { return talk_; }
    websocket& handle() noexcept { return handle_; }

    // interface of the transport
    void finished(http::exchange&) noexcept override {}
    void wants_body(http::exchange&) noexcept override;
    void refuse_body(http::exchange&, const codec::refusal&) noexcept override {}
    void write(http::exchange&, std::string_view bytes) override { io().send(bytes); }
    bool write_may_go_on(http::exchange&) noexcept override { return io().unsent() <= outbound::transport::high_water; }
    void find_address(http::exchange&) override {}

private:
    outbound::transport& io() noexcept { return lease_.io(); }
    void stirred(outbound::transport&) noexcept override;
    void has_room(outbound::transport&) noexcept override;

    outbound::pool_hold pool_;
    outbound::pool::lease lease_;
    const websocket_options how_;
    http::exchange x_;
    session talk_;
    websocket handle_;
};

}  // namespace apus::ws
