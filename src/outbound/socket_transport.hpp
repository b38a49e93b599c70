// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/transport.hpp"
#include "runtime/record_layer.hpp"
#include "runtime/stream.hpp"

#include <apus/task.hpp>

#include <memory>
#include <string_view>

#include <sys/socket.h>

namespace apus::outbound {

/// A transport that is a socket.
class socket_transport final : public transport, private runtime::stream {
public:
    /// Takes over a fresh non-blocking socket. `records`: what makes it secure, or null.
    socket_transport(runtime::loop&, int fd, std::unique_ptr<runtime::record_layer> records) noexcept;

    /// Connects, and ends the handshake. Gives 0 or an errno, ETIMEDOUT at `due`, EPROTO for a handshake that
    /// failed. After an error it is to be closed.
    task<int> connect(const sockaddr* to, socklen_t size, std::uint64_t due);

    std::string_view failure() const noexcept;  ///< Of the handshake: why the peer is not trusted, or empty.

    void send(std::string_view bytes) override;
    std::size_t unsent() const noexcept override { return stream::unsent(); }
    void close() noexcept override;
    void expect_much(bool) override;
    bool is_dead() noexcept override;

private:
    ~socket_transport() = default;

    void receive() override { loop_.io().receive(*this); }
    void pause() override { loop_.io().pause(*this); }

    task<int> greet(std::uint64_t due);
    void secured() override { reading.stir(); }
    void connected(int error) override;
    void received(runtime::received_bytes b) override { arrived({b.data, b.size}); }
    void ended(int error) override { end(error); }
    void stalled() override {}
    void drained() override { sent_some(); }
    void progressed(std::size_t) override { sent_some(); }
    void closed() noexcept override { delete this; }

    runtime::loop& loop_;
    int outcome_ = 0;
};

}  // namespace apus::outbound
