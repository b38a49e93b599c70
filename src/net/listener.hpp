// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/endpoint.hpp"

#include <expected>
#include <string>
#include <utility>

namespace apus::net {

/// A listening socket.
/// Each core has its own socket on the same address, so that the kernel spreads connections over the cores
/// (SO_REUSEPORT). Unix sockets are shared by the cores, since a path can be bound only once.
class listener {
public:
    /// Opens a listening socket. The error is a sentence, for example if the address is in use.
    static std::expected<listener, std::string> open(const endpoint&);

    listener(listener&& other) noexcept;
    listener& operator=(listener&&) = delete;
    ~listener();

    /// Whether another process keeps an inherited socket open.
    enum class sharing {
        always,
        until_owned  ///< Until the call of `own`.
    };
    /// Takes an inherited listening socket. The listener gets the protocols of `at`.
    static listener inherit(int fd, const endpoint& at, sharing);

    /// Opens another socket for the same address.
    /// For inherited and Unix sockets, duplicates the descriptor instead.
    std::expected<listener, std::string> again() const;

    /// Leaves connections in the kernel until their first bytes arrive, or for about a second.
    /// Has no effect on Unix sockets.
    void defer_accept() noexcept;

    int fd() const noexcept { return fd_; }
    const endpoint& where() const noexcept { return where_; }

    /// Returns true if another process also has this socket.
    /// The socket then stays open when this object is destroyed, and connections in its backlog wait for that process.
    bool shared() const noexcept { return shared_; }
    bool borrowed() const noexcept { return borrowed_; }  ///< Shared until the call of `own`.
    /// Marks the socket as used by another process, which then also owns the path of a Unix socket.
    void hand_over() noexcept { shared_ = true, removes_path_ = takes_path_ = borrowed_ = false; }
    /// Takes ownership of a borrowed socket, and of its path.
    /// The path is removed when this object is destroyed.
    void own() noexcept {
        if (std::exchange(borrowed_, false)) shared_ = false;
        removes_path_ = removes_path_ || takes_path_;
    }

    /// Drops new SYNs, so that clients cannot connect. Do not call it for shared sockets.
    /// Connections in the backlog can still be accepted; closing the socket would reset them.
    void refuse_new() noexcept;

private:
    static std::expected<listener, std::string> bound(const endpoint&);
    listener(int fd, const endpoint& where) noexcept : fd_(fd), where_(where) {}

    int fd_;
    endpoint where_;
    bool inherited_ = false;
    bool shared_ = false;
    bool borrowed_ = false;  // shared until the call of `own`
    bool removes_path_ = false;
    bool takes_path_ = false;
};

}  // namespace apus::net
