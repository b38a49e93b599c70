// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/transport.hpp"
#include "runtime/record_layer.hpp"
#include "runtime/socket.hpp"

#include <apus/task.hpp>

#include <memory>
#include <string_view>

#include <sys/socket.h>

namespace apus::outbound {

/// A transport over a socket, with or without TLS.
class socket_transport final : public transport, private runtime::stream {
public:
    /// Takes ownership of a new non-blocking socket. `records` is the TLS layer, or null.
    socket_transport(runtime::loop&, int fd, std::unique_ptr<runtime::record_layer> records) noexcept;

    /// Connects and completes the handshake.
    /// Returns 0 or an errno: ETIMEDOUT at `due`, EPROTO if the handshake fails. After an error, call `close`.
    task<int> connect(const sockaddr* to, socklen_t size, std::uint64_t due);

    /// Adds a TLS layer to a connection on which nothing was sent, and completes the handshake.
    /// Returns the errors of `connect`.
    task<int> begin_tls(std::unique_ptr<runtime::record_layer>, std::uint64_t due);

    /// Replaces `connect` for a socket that is already connected.
    void connected_already() { receive(); }

    std::string_view failure() const noexcept;  ///< Reason why the TLS handshake rejected the peer; otherwise empty.

    void send(std::string_view bytes) override;
    std::size_t unsent() const noexcept override { return stream::unsent(); }
    void close() noexcept override;
    void use_large_buffers(bool) override;
    bool is_dead() noexcept override;
    std::optional<std::string_view> application() const noexcept override;

private:
    ~socket_transport() = default;

    void receive() override { loop_.io().receive(*this); }
    void pause() override { loop_.io().pause(*this); }

    task<int> handshake(std::uint64_t due);
    void secured() override { reading.notify(); }
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
