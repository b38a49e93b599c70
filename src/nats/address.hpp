// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/host_port.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace apus::nats {

inline constexpr std::size_t max_hosts = 32;  ///< Maximum number of hosts in a URL.

/// Addresses of NATS servers, with the account to use.
struct address {
    std::vector<net::host_port> hosts;  ///< At least one.
    bool secure = false;                ///< Whether to use TLS.
    std::string user, password;         ///< Empty: no user.
    std::string token;                  ///< Empty: no token.
};

/// Parses a URL in one of the forms of `client::client`.
/// Throws `std::invalid_argument` for an invalid URL. The message does not contain the password or token.
address read_url(std::string_view url);

}  // namespace apus::nats
