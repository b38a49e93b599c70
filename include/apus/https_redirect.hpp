// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sending those who come by http to https.

#include <apus/http.hpp>

#include <cstdint>

namespace apus {

/// Middleware that lets requests pass that came by https, as `client_of` finds: over TLS, or as a
/// trusted proxy says where `trusted_proxies` stands around this. All others are sent to the same
/// host and target by https with 308 (RFC 9110, 15.4.9), or get 400 where they name no host. The host is
/// the client's word: put `allowed_hosts` around this, so that nobody is sent to another one.
/// Browsers that are to ask by https at once the next time are told so by `security_headers`.
class https_redirect {
public:
    struct options {
        std::uint16_t port = 443;  ///< Where https is spoken.
    };

    https_redirect() = default;
    explicit https_redirect(options how) : how_(how) {}

    // For the app.
    static constexpr const void* sets = detail::sets_nothing;
    bool before(request&, response&) const;
    void after(request&, response&) const {}

private:
    options how_{};
};

}  // namespace apus
