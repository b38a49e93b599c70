// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who asks, when there are proxies between.

#include <apus/detail/owned_parts.hpp>
#include <apus/detail/parameters.hpp>
#include <apus/http.hpp>

#include <string>
#include <vector>

namespace apus {

/// What is known of the client of a request.
struct client_info {
    /// Such as "192.0.2.1", "2001:db8::1" or "unix": never with a port, always spelled the same.
    std::string address;
    std::string scheme = "http";  ///< "http" or "https", as the client has used it.
    std::string host;             ///< As `request::host`, or what the nearest proxy says that the client asked for.
    bool proxied = false;         ///< A trusted proxy has told some of this.
};

/// The client of a request: as `trusted_proxies` has found it, or else the peer of the connection.
/// Valid as long as the request. Handlers take it as a parameter, a `const client_info&`.
const client_info& client_of(request&);

/// Addresses of IPv4, IPv6 and Unix sockets: "10.0.0.0/8", "2001:db8::/32", "127.0.0.1", "unix".
class network_list {
public:
    /// Throws `std::invalid_argument` for a text that is none of these, or has bits behind its prefix.
    network_list(const std::vector<std::string>& networks);
    network_list(std::initializer_list<std::string> networks) : network_list(std::vector<std::string>(networks)) {}

    /// Whether an address is in one of them. A text that is no address is in none. Addresses of
    /// IPv4 that are written in IPv6 ("::ffff:10.0.0.1") are those of IPv4.
    bool contains(std::string_view address) const noexcept;

private:
    struct network {
        unsigned char bytes[16];
        unsigned bits;
    };
    std::vector<network> networks_;
    bool has_unix_ = false;
};

/// Which field proxies add addresses to.
enum class proxy_field : std::uint8_t {
    x_forwarded_for,
    forwarded  ///< RFC 7239.
};

/// Middleware that finds out who the client is where proxies are in front. Only what a trusted peer
/// says is believed: the client is the rightmost address that is none of a trusted proxy, since all
/// to the left of that may be made up. An entry that is no address ends the search at the proxy that
/// wrote it; a Forwarded that breaks the grammar is 400, since nobody can say where such an entry ends.
/// The other field of the two is never looked at: a proxy that does not write it lets it through as
/// the client sent it.
///
/// Belongs in front of what asks for the client: rate limits, request ids, CSRF.
class trusted_proxies {
public:
    /// What proxies are believed. Each field that is believed must be set by the nearest of them.
    struct options {
        proxy_field field = proxy_field::x_forwarded_for;  ///< Where it writes addresses.
        bool scheme = true;                                ///< X-Forwarded-Proto, or `proto`: "http" or "https".
        bool host = false;  ///< X-Forwarded-Host, or `host`. Most proxies pass on Host, and need not this.
    };

    explicit trusted_proxies(network_list proxies);
    trusted_proxies(network_list proxies, options);

    /// For the app: a filter.
    static constexpr const void* sets = &detail::type_key<client_info>;
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
