// SPDX-License-Identifier: Apache-2.0
#include "net/endpoint.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>

namespace apus::net {
namespace {

std::unexpected<std::string> wrong(std::string_view text, const char* why) {
    return std::unexpected("cannot listen on `" + std::string(text) + "`: " + why);
}

}  // namespace

std::expected<endpoint, std::string> endpoint::parse(std::string_view text) {
    const std::size_t comma = text.find(',');
    auto e = parse_address(text.substr(0, comma));
    if (!e || comma == text.npos) return e;
    const char* const why = e->limit_to(text.substr(comma + 1));
    if (why) return wrong(text, why);
    return e;
}

const char* endpoint::limit_to(std::string_view words) noexcept {
    using runtime::protocols;
    bool http1 = false, http2 = false;
    for (bool more = true; more;) {
        const std::size_t end = words.find(',');
        const std::string_view word = words.substr(0, end);
        if (word == "h2" && scheme_ != scheme::https) return "h2 requires https://; without TLS use h2c";
        if (word == "h2c" && scheme_ == scheme::https) return "h2c requires http://; with TLS use h2";
        if (word != "http/1.1" && word != "h2" && word != "h2c")
            return "unknown protocol after a comma: expected http/1.1, h2 or h2c";
        bool& said = word == "http/1.1" ? http1 : http2;
        if (std::exchange(said, true)) return "duplicate protocol";
        more = end != words.npos;
        if (more) words.remove_prefix(end + 1);
    }
    protocols_ = !http2 ? protocols::http1 : !http1 ? protocols::http2 : protocols::every;
    return nullptr;
}

std::expected<endpoint, std::string> endpoint::parse_address(std::string_view text) {
    constexpr std::string_view unix_prefix = "unix:";
    if (text.starts_with(unix_prefix)) {
        std::string_view path = text.substr(unix_prefix.size());
        endpoint e;
        static_assert(sizeof(sockaddr_un) == sizeof(sa_family_t) + 108);
        auto& to = reinterpret_cast<sockaddr_un&>(e.address_);
        if (path.empty() || path.size() >= sizeof to.sun_path) return wrong(text, "the path must have 1 to 107 bytes");
        to.sun_family = AF_UNIX;
        std::memcpy(to.sun_path, path.data(), path.size());
        e.size_ = static_cast<socklen_t>(sizeof(sa_family_t) + path.size() + 1);
        return e;
    }
    constexpr std::string_view http = "http://", https = "https://";
    const bool is_http = text.starts_with(http), is_https = text.starts_with(https);
    if (is_http || is_https) {
        auto e = parse_address(text.substr(is_http ? http.size() : https.size()));
        if (e && (e->is_unix() || e->scheme_ != scheme::unsaid))
            return wrong(text, "use at most one prefix, http:// or https://, only before an IP address");
        if (e) e->scheme_ = is_http ? scheme::http : scheme::https;
        return e;
    }
    auto colon = text.rfind(':');
    if (colon == text.npos) return wrong(text, "missing port: write it as 127.0.0.1:8080");
    std::uint16_t port = 0;
    auto digits = text.substr(colon + 1);
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error != std::errc() || end != digits.data() + digits.size())
        return wrong(text, "the port must be a number from 0 to 65535");
    auto host = text.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    else if (host.contains(':')) return wrong(text, "an IPv6 address must be in brackets, such as [::1]:8080");
    return parse(host, port);
}

std::expected<endpoint, std::string> endpoint::parse(std::string_view host, std::uint16_t port) {
    endpoint e;
    const std::string text(host == "localhost" ? "127.0.0.1" : host);
    auto& v4 = reinterpret_cast<sockaddr_in&>(e.address_);
    auto& v6 = reinterpret_cast<sockaddr_in6&>(e.address_);
    if (inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
        v4.sin_family = AF_INET;
        v4.sin_port = htons(port);
        e.size_ = sizeof v4;
    } else if (inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1) {
        v6.sin6_family = AF_INET6;
        v6.sin6_port = htons(port);
        e.size_ = sizeof v6;
    } else {
        return wrong(host, "the host must be an IPv4 or IPv6 address, or localhost");
    }
    return e;
}

endpoint endpoint::of(int fd) {
    endpoint e;
    e.size_ = sizeof e.address_;
    getsockname(fd, reinterpret_cast<sockaddr*>(&e.address_), &e.size_);
    return e;
}

endpoint endpoint::from(const sockaddr* address, socklen_t size, std::uint16_t port) {
    endpoint e;
    e.size_ = std::min<socklen_t>(size, sizeof e.address_);
    std::memcpy(&e.address_, address, e.size_);
    if (e.address_.ss_family == AF_INET) reinterpret_cast<sockaddr_in&>(e.address_).sin_port = htons(port);
    else reinterpret_cast<sockaddr_in6&>(e.address_).sin6_port = htons(port);
    return e;
}

std::string endpoint::path() const {
    const char* const path = reinterpret_cast<const sockaddr_un&>(address_).sun_path;
    if (*path || size_ <= sizeof(sa_family_t) + 1) return path;
    return "@" + std::string(path + 1, size_ - sizeof(sa_family_t) - 1);
}

bool endpoint::same_address(const endpoint& other) const noexcept {
    if (address_.ss_family != other.address_.ss_family) return false;
    if (is_unix()) return path() == other.path();
    return host() == other.host() && port() == other.port();
}

bool endpoint::may_become(const endpoint& bound) const noexcept {
    if (same_address(bound)) return true;
    return !is_unix() && !bound.is_unix() && port() == 0 && host() == bound.host();
}

std::string endpoint::host() const {
    char text[INET6_ADDRSTRLEN];
    const void* bytes = &reinterpret_cast<const sockaddr_in&>(address_).sin_addr;
    if (address_.ss_family == AF_INET6) bytes = &reinterpret_cast<const sockaddr_in6&>(address_).sin6_addr;
    inet_ntop(address_.ss_family, bytes, text, sizeof text);
    return text;
}

std::uint16_t endpoint::port() const noexcept {
    if (address_.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address_).sin_port);
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address_).sin6_port);
}

std::string endpoint::url() const {
    if (is_unix()) return "unix:" + path();
    const bool v4 = address_.ss_family == AF_INET;
    const std::string where = v4 ? host() : "[" + host() + "]";
    return (scheme_ == scheme::https ? "https://" : "http://") + where + ":" + std::to_string(port());
}

}  // namespace apus::net
