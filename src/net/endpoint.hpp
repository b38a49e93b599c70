// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    /// "https://" in front; names are not looked up. The error is a sentence.
    static std::expected<endpoint, std::string> parse(std::string_view text);
    static std::expected<endpoint, std::string> parse(std::string_view host, std::uint16_t port);

    /// What a bound socket has become, with the port that the kernel picked.
    static endpoint of(int fd);

    /// An address as the system gives it. `port` takes the place of its own.
    static endpoint from(const sockaddr* address, socklen_t size, std::uint16_t port);

    bool is_unix() const noexcept { return address_.ss_family == AF_UNIX; }
    std::string url() const;  ///< "http://[::1]:8080", "https://...", or "unix:/run/app.sock".
    scheme spoken() const noexcept { return scheme_; }
    void speak(scheme s) noexcept { scheme_ = s; }
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
    scheme scheme_ = scheme::unsaid;
};

}  // namespace apus::net
