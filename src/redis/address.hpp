// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::redis {

/// A server, and the account on it.
struct address {
    std::string host;  ///< Name, or IP address without brackets. Empty: `path` is used.
    std::string path;  ///< Of a Unix socket.
    std::uint16_t port = 6379;
    bool secure = false;  ///< TLS.
    std::string user;     ///< Empty: "default".
    std::string password;
    unsigned database = 0;
};

/// Parses a URL: see `client::client`. Throws `std::invalid_argument`, without the password.
address read_url(std::string_view url);

}  // namespace apus::redis
