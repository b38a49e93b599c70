// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/websocket/frame_head.hpp"
#include "runtime/loop.hpp"
#include "runtime/socket.hpp"
#include "server/response_reader.hpp"

#include <apus/test.hpp>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace apus::server {

/// The client end of a WebSocket in a test, on the loop of its app.
/// Create it with `new`. After `hang_up`, the object deletes itself when the loop has released it.
class websocket_peer final : private runtime::stream {
public:
    websocket_peer(runtime::loop&, int fd);

    /// Sends an opening handshake; the response becomes `opening`.
    void open(std::string_view handshake);

    void send(codec::websocket::opcode, std::string_view payload);
    void close(unsigned code, std::string_view reason);
    void hang_up() noexcept { loop_.io().close(*this); }

    bool answered() const noexcept { return answered_ || gone_; }
    bool is_open() const noexcept { return is_socket() && !gone_ && close_code == 0 && !close_sent_; }
    bool over() const noexcept { return gone_ || close_code != 0 || (answered_ && !is_socket()); }

    test::response opening;              ///< Response to the handshake: 101, or an error.
    std::deque<test::message> messages;  ///< Messages that the test has not read yet.
    unsigned pings = 0;
    bool answers_pings = true;
    std::string broken;            ///< Error message if the received bytes are invalid WebSocket data.
    std::uint16_t close_code = 0;  ///< Status code of the app's Close frame; 0 before it arrives.
    std::string close_reason;

private:
    ~websocket_peer() = default;

    void received(runtime::received_bytes) override;
    void ended(int) override;
    void stalled() override {}
    void drained() override {}
    void progressed(std::size_t) override {}
    void closed() noexcept override { delete this; }

    bool is_socket() const noexcept { return opening.status == 101; }
    void read_opening();
    bool read_frame();
    void take(const codec::websocket::frame_head&, std::string_view payload);

    runtime::loop& loop_;
    response_reader refusal_;
    std::string unread_;
    bool answered_ = false;
    bool gone_ = false;
    bool close_sent_ = false;
};

}  // namespace apus::server
