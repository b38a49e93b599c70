// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/endpoint.hpp"

#include <expected>
#include <string>

namespace apus::net {

/// A listening socket.
/// Each core has its own socket on the same address, so that the kernel spreads connections over the cores
/// (SO_REUSEPORT). Unix sockets are shared by the cores, since a path can be bound only once.
class listener {
public:
    /// Opens a listening socket. The error is a sentence, also if another process uses the address.
    static std::expected<listener, std::string> open(const endpoint&);

    listener(listener&& other) noexcept;
    listener& operator=(listener&&) = delete;
    ~listener();

    /// Opens another socket for the same address.
    std::expected<listener, std::string> again() const;

    int fd() const noexcept { return fd_; }
    const endpoint& where() const noexcept { return where_; }

    /// Refuses new connections as if the port were closed.
    /// Connections in the backlog can still be accepted; closing the socket would reset them.
    void refuse_new() noexcept;

private:
    static std::expected<listener, std::string> bound(const endpoint&);
    listener(int fd, const endpoint& where) noexcept : fd_(fd), where_(where) {}

    int fd_;
    endpoint where_;
};

}  // namespace apus::net
