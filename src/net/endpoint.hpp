// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/protocols.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include <sys/socket.h>

namespace apus::net {

/// Address of a listening or connecting socket: an IP address with a port, or a path.
class endpoint {
public:
    /// Protocols of the endpoint, if specified.
    enum class scheme : std::uint8_t {
        unsaid,
        http,
        https
    };

    /// Parses "127.0.0.1:8080", "[::1]:8080" or "unix:/run/app.sock".
    /// TCP addresses may begin with "http://" or "https://"; host names are not supported. Protocols may follow,
    /// separated by commas: "http/1.1", "h2" (over TLS), "h2c" (plain text). The error is a message.
    static std::expected<endpoint, std::string> parse(std::string_view text);
    static std::expected<endpoint, std::string> parse(std::string_view host, std::uint16_t port);

    /// Returns the address of a bound socket, with the port chosen by the kernel.
    static endpoint of(int fd);

    /// Converts an address of the socket API; `port` replaces the port in it.
    static endpoint from(const sockaddr* address, socklen_t size, std::uint16_t port);

    bool is_unix() const noexcept { return address_.ss_family == AF_UNIX; }
    std::string url() const;  ///< "http://[::1]:8080", "https://...", or "unix:/run/app.sock".
    scheme url_scheme() const noexcept { return scheme_; }
    runtime::protocols protocols() const noexcept { return protocols_; }
    void set_scheme(scheme s) noexcept { scheme_ = s; }
    /// Whether each connection begins with a PROXY header.
    bool expects_proxy_header() const noexcept { return proxied_; }
    void expect_proxy_header() noexcept { proxied_ = true; }
    void copy_protocols(const endpoint& other) noexcept {
        scheme_ = other.scheme_, protocols_ = other.protocols_, proxied_ = other.proxied_;
    }
    std::string path() const;  ///< Path of a Unix socket; "@name" for one in the abstract namespace.
    std::string host() const;  ///< The IP address as text, such as "::1".
    std::uint16_t port() const noexcept;

    /// Returns true if both are the same address. Ignores schemes and protocols.
    bool same_address(const endpoint&) const noexcept;
    /// Returns true if a socket that was bound to this address may have the address `bound`.
    /// Both addresses are equal, or this port is 0 and the kernel has chosen the port of `bound`.
    bool may_become(const endpoint& bound) const noexcept;

    /// Returns true for IP addresses of the public internet.
    /// Returns false for private, local, shared, documentation and multicast ranges (RFC 6890). Also checks IPv4
    /// addresses that are embedded in IPv6 addresses.
    bool is_public() const noexcept;
    const sockaddr* address() const noexcept { return reinterpret_cast<const sockaddr*>(&address_); }
    socklen_t size() const noexcept { return size_; }

private:
    sockaddr_storage address_{};
    socklen_t size_ = 0;
    static std::expected<endpoint, std::string> parse_address(std::string_view text);
    const char* limit_to(std::string_view words) noexcept;  // returns an error or null

    scheme scheme_ = scheme::unsaid;
    runtime::protocols protocols_ = runtime::protocols::every;
    bool proxied_ = false;
};

}  // namespace apus::net
