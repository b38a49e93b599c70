// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/host_port.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apus::redis {

using net::host_port;

/// How the servers of a URL work together.
enum class topology : std::uint8_t {
    single,
    sentinel,  ///< Sentinels know the address of the primary.
    cluster    ///< Each node stores a part of the keys.
};

inline constexpr std::size_t max_hosts = 32;  ///< Maximum number of hosts in a URL.

/// Address of a Redis server, with the account and the database to use.
struct address {
    std::string host;  ///< Name, or IP address without brackets. Empty: `path` is used. The first of `hosts`, if any.
    std::string path;  ///< Path of a Unix socket.
    std::uint16_t port = 6379;
    bool secure = false;  ///< Whether to use TLS.
    std::string user;     ///< Empty: the user "default".
    std::string password;
    unsigned database = 0;
    topology kind = topology::single;
    std::vector<host_port> hosts = {};  ///< Sentinels, or nodes of the cluster. Empty for a single server.
    std::string service = {};           ///< Name by which the sentinels know the primary.
};

/// Parses a URL in one of the forms of `client::client`.
/// Throws `std::invalid_argument` for an invalid URL. The message does not contain the password.
address read_url(std::string_view url);

}  // namespace apus::redis
