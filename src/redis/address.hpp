// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::redis {

/// Address of a Redis server, with the account and the database to use.
struct address {
    std::string host;  ///< Name, or IP address without brackets. Empty: `path` is used.
    std::string path;  ///< Path of a Unix socket.
    std::uint16_t port = 6379;
    bool secure = false;  ///< Whether to use TLS.
    std::string user;     ///< Empty: the user "default".
    std::string password;
    unsigned database = 0;
};

/// Parses a URL in one of the forms of `client::client`.
/// Throws `std::invalid_argument` for an invalid URL. The message does not contain the password.
address read_url(std::string_view url);

}  // namespace apus::redis
