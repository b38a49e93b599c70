// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/protocols.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include <sys/socket.h>

namespace apus::net {

/// Where a socket listens or connects to: an IP address with a port, or a path.
class endpoint {
public:
    /// What is spoken there, as far as it was said.
    enum class scheme : std::uint8_t {
        unsaid,
        http,
        https
    };

    /// "127.0.0.1:8080", "[::1]:8080" or "unix:/run/app.sock", the first two also with "http://" or
    /// "https://" in front; names are not looked up. Behind commas there may be the protocols that are spoken there:
    /// "http/1.1", "h2" (over TLS) and "h2c" (in clear text). The error is a sentence.
    static std::expected<endpoint, std::string> parse(std::string_view text);
    static std::expected<endpoint, std::string> parse(std::string_view host, std::uint16_t port);

    /// What a bound socket has become, with the port that the kernel picked.
    static endpoint of(int fd);

    /// An address as the system gives it. `port` takes the place of its own.
    static endpoint from(const sockaddr* address, socklen_t size, std::uint16_t port);

    bool is_unix() const noexcept { return address_.ss_family == AF_UNIX; }
    std::string url() const;  ///< "http://[::1]:8080", "https://...", or "unix:/run/app.sock".
    scheme spoken() const noexcept { return scheme_; }
    runtime::protocols protocols() const noexcept { return protocols_; }
    void speak(scheme s) noexcept { scheme_ = s; }
    void speak_as(const endpoint& other) noexcept { scheme_ = other.scheme_, protocols_ = other.protocols_; }
    std::string path() const;  ///< Of a Unix socket.
    std::string host() const;  ///< The IP address as text, such as "::1".
    std::uint16_t port() const noexcept;

    /// Whether this is an IP address of the public internet: of no private, local, shared,
    /// documentation or group range (RFC 6890), also where IPv6 holds one of IPv4.
    bool is_public() const noexcept;
    const sockaddr* address() const noexcept { return reinterpret_cast<const sockaddr*>(&address_); }
    socklen_t size() const noexcept { return size_; }

private:
    sockaddr_storage address_{};
    socklen_t size_ = 0;
    static std::expected<endpoint, std::string> parse_address(std::string_view text);
    const char* limit_to(std::string_view words) noexcept;  // why not, or null

    scheme scheme_ = scheme::unsaid;
    runtime::protocols protocols_ = runtime::protocols::every;
};

}  // namespace apus::net
