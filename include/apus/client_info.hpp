// SPDX-License-Identifier: Apache-2.0
#pragma once

// Client address behind proxies.

#include <apus/detail/owned_parts.hpp>
#include <apus/detail/parameters.hpp>
#include <apus/http.hpp>

#include <string>
#include <vector>

namespace apus {

/// Client address, scheme and host of a request.
struct client_info {
    /// Address in canonical form, without a port: "192.0.2.1", "2001:db8::1" or "unix".
    std::string address;
    std::string scheme = "http";  ///< "http" or "https": the scheme that the client used.
    std::string host;             ///< `request::host`, or the host reported by the nearest trusted proxy.
    bool proxied = false;         ///< True if a trusted proxy reported some of these values.
};

/// Returns the client of a request.
/// The middleware `trusted_proxies` determines the client; without this middleware, the client is the peer of the
/// connection. Valid as long as the request. Handlers can take a parameter of type `const client_info&` instead.
const client_info& client_of(request&);

/// Networks and addresses: "10.0.0.0/8", "2001:db8::/32", "127.0.0.1", "unix" (Unix sockets).
class network_list {
public:
    /// Throws `std::invalid_argument` for malformed text, or bits set beyond the prefix.
    network_list(const std::vector<std::string>& networks);
    network_list(std::initializer_list<std::string> networks) : network_list(std::vector<std::string>(networks)) {}

    /// Whether an address is in one of the networks.
    /// False for text that is not an address. IPv4-mapped IPv6 addresses ("::ffff:10.0.0.1") match as IPv4.
    bool contains(std::string_view address) const noexcept;

private:
    struct network {
        unsigned char bytes[16];
        unsigned bits;
    };
    std::vector<network> networks_;
    bool has_unix_ = false;
};

/// Field to which proxies add client addresses.
enum class proxy_field : std::uint8_t {
    x_forwarded_for,
    forwarded  ///< RFC 7239.
};

/// Fields that `trusted_proxies` reads. The nearest proxy must set each of them.
struct trusted_proxies_options {
    proxy_field field = proxy_field::x_forwarded_for;  ///< Field with the client's address.
    bool scheme = true;                                ///< Trust X-Forwarded-Proto, or `proto` of Forwarded.
    bool host = false;  ///< Trust X-Forwarded-Host, or `host` of Forwarded. Not needed if the proxy keeps Host.
};

/// Middleware that determines the client address behind proxies.
/// The field is used only if the peer is a trusted proxy. The client is then the rightmost address that is not a
/// trusted proxy, because a client can forge the addresses to the left of its own. If an entry is not an address, the
/// client is the proxy that added the entry. A request with a malformed Forwarded field gets 400, because the last
/// entries of the field cannot be determined. Only the field selected by `trusted_proxies_options::field` is read: if a
/// proxy does not set the other field, it may forward a field that the client has forged.
///
/// Place this middleware around middleware that uses the client address: rate limits, request ids, CSRF.
class trusted_proxies {
public:
    explicit trusted_proxies(network_list proxies);
    trusted_proxies(network_list proxies, trusted_proxies_options);

    /// Middleware interface, used by the app: a filter.
    using sets = client_info;
    result<void> operator()(request&) const;

private:
    void read_lists(const request&, client_info&) const;
    result<void> read_forwarded(const request&, client_info&) const;

    network_list proxies_;
    proxy_field field_;
    bool scheme_, host_;
};

}  // namespace apus

namespace apus::detail {

template <>
struct slot<const client_info&> {
    static constexpr unsigned captures = 0;
    static constexpr body_use body = body_use::ignored;
    static constexpr bool sees_request = false;
    const client_info* value = nullptr;
    bool fill(request& req, unsigned&, response&) { return value = &client_of(req), true; }
    const client_info& give() noexcept { return *value; }
};

}  // namespace apus::detail
