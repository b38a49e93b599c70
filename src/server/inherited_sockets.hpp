// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/endpoint.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace apus::server {

/// Name of a socket that the program opened itself and passes to its successor.
inline constexpr std::string_view own_socket = "apus-listener";
/// Name of a socket that the program opened and of which systemd stores a duplicate (FDSTORE).
inline constexpr std::string_view stored_socket = "apus-stored";

/// The first inherited descriptor (SD_LISTEN_FDS_START).
inline constexpr int first_inherited = 3;

/// Name of the administration's socket (`serve_options::admin`).
inline constexpr std::string_view administration_socket = "apus-admin";

/// A listening socket that this process got from its service manager or its predecessor.
struct inherited_socket {
    int fd;
    std::string name;
    net::endpoint where;

    /// Whether an earlier process of this program, not the service manager, opened the socket.
    bool own() const noexcept { return name == own_socket || name == stored_socket || name == administration_socket; }
};

/// Reads LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES like sd_listen_fds(3), and checks the sockets.
/// Removes the variables from the environment. Returns no sockets if the variables are missing or for another process.
/// Ignores LISTEN_PID if `from_predecessor` is true.
/// Returns a message if a descriptor is closed, duplicate or not a listening stream socket.
std::expected<std::vector<inherited_socket>, std::string> inherited_sockets(bool from_predecessor);

bool is_listening(int fd) noexcept;  ///< Whether this is an open descriptor of a listening socket.

/// Checks the descriptors from `first` on, one for each name.
std::expected<std::vector<inherited_socket>, std::string> check_sockets(int first,
                                                                        const std::vector<std::string>& names);

}  // namespace apus::server
