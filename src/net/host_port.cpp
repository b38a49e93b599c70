// SPDX-License-Identifier: Apache-2.0
#include "net/host_port.hpp"

#include <charconv>

namespace apus::net {

std::string to_text(const host_port& of) {
    const std::string port = ":" + std::to_string(of.port);
    return of.host.contains(':') ? "[" + of.host + "]" + port : of.host + port;
}

std::expected<host_port, const char*> parse_host_port(std::string_view text, std::uint16_t default_port) {
    host_port to{.host = {}, .port = default_port};
    std::string_view port;
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        if (end == text.npos) return std::unexpected("`]` is missing after the IPv6 address");
        to.host = text.substr(1, end - 1);
        port = text.substr(end + 1);
        if (!port.empty() && port[0] != ':') return std::unexpected("a port is expected after the IPv6 address");
    } else {
        const auto colon = text.find(':');
        to.host = text.substr(0, colon);
        if (colon != text.npos) port = text.substr(colon);
    }
    if (to.host.empty()) return std::unexpected("the host is missing");
    for (const char c : to.host)
        if (static_cast<unsigned char>(c) <= ' ' || c == '%' || c == '\\' || c == 127)
            return std::unexpected("the host is malformed");
    if (port.empty()) return to;
    port.remove_prefix(1);
    const auto [end, fault] = std::from_chars(port.data(), port.data() + port.size(), to.port);
    if (fault != std::errc() || end != port.data() + port.size() || to.port == 0)
        return std::unexpected("the port must be a number from 1 to 65535");
    return to;
}

}  // namespace apus::net
