// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/endpoint.hpp"

#include <expected>
#include <string>

namespace apus::net {

/// A listening socket. Each core has its own on the same address, so that the kernel spreads
/// connections over them (SO_REUSEPORT); a Unix socket is shared, since a path can be bound once.
class listener {
public:
    /// Fails with a sentence; also where another process has the address already.
    static std::expected<listener, std::string> open(const endpoint&);

    listener(listener&& other) noexcept;
    listener& operator=(listener&&) = delete;
    ~listener();

    /// Another socket for the same address.
    std::expected<listener, std::string> again() const;

    int fd() const noexcept { return fd_; }
    const endpoint& where() const noexcept { return where_; }

    /// Turns new clients away as if nobody listened, but leaves those that the kernel has already
    /// connected to be accepted: closing the socket at once would reset them.
    void refuse_new() noexcept;

private:
    static std::expected<listener, std::string> bound(const endpoint&);
    listener(int fd, const endpoint& where) noexcept : fd_(fd), where_(where) {}

    int fd_;
    endpoint where_;
};

}  // namespace apus::net
