// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace apus::net {

/// Host and port of a server.
struct host_port {
    std::string host;  ///< Name, or IP address without brackets.
    std::uint16_t port = 0;

    friend auto operator<=>(const host_port&, const host_port&) = default;
};

/// Returns "host:port", for messages.
std::string to_text(const host_port&);

/// Parses "host:port", "[address]:port", or only a host.
/// The error is a static text.
std::expected<host_port, const char*> parse_host_port(std::string_view text, std::uint16_t default_port);

}  // namespace apus::net
