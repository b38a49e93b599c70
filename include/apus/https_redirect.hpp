// SPDX-License-Identifier: Apache-2.0
#pragma once

// Redirects from http to https.

#include <apus/middleware.hpp>

#include <cstdint>

namespace apus {

/// Options of `https_redirect`.
struct https_redirect_options {
    std::uint16_t port = 443;  ///< Port of the https server.
};

/// Middleware that redirects plain-text requests to https.
/// Requests pass if they arrived over TLS, or if a trusted proxy reports https (place `trusted_proxies` around this
/// middleware). Other requests are redirected to the same host and target with 308 (RFC 9110, 15.4.9), or get 400 if
/// they have no host. The client chooses the host: place `allowed_hosts` around this middleware to prevent redirects to
/// other sites. To make browsers use https for later requests, add `security_headers`.
class https_redirect {
public:
    https_redirect() = default;
    explicit https_redirect(https_redirect_options how) : how_(how) {}

    // Middleware interface, used by the app.
    using sets = void;
    pending_response operator()(request&, response& out, next_handler) const;

private:
    https_redirect_options how_{};
};

}  // namespace apus
