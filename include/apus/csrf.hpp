// SPDX-License-Identifier: Apache-2.0
#pragma once

// Protects against cross-site request forgery (CSRF).

#include <apus/detail/owned_parts.hpp>
#include <apus/http.hpp>
#include <apus/security_note.hpp>

#include <string>
#include <vector>

namespace apus {

/// Accepted origins, and tokens.
struct csrf_options {
    /// Origins whose requests are accepted, such as "https://app.example".
    /// If such an origin belongs to another site, browsers send its requests without SameSite=Lax cookies.
    std::vector<std::string> trusted_origins = {};
    bool browsers_only = false;  ///< Requests without Sec-Fetch-Site, Origin and Referer get 403.
    /// Secrets for tokens. If not empty, requests need a token.
    /// Each secret has at least 32 bytes. The first secret signs tokens; each of the secrets verifies them.
    std::vector<std::string> token_secrets = {};
};

/// Filter that rejects browser requests caused by pages of other origins, with 403.
/// GET, HEAD and OPTIONS pass, since they change nothing, unless they upgrade the connection. For other requests the
/// filter checks, in this order:
///
/// 1. `Sec-Fetch-Site`, which browsers set and pages cannot set: `same-origin` and `none` (caused by the user) pass;
///    other values mean another origin.
/// 2. If `Sec-Fetch-Site` is missing: `Origin`, or if `Origin` is missing too, the origin of `Referer`. Host and scheme
///    of the origin must equal host and scheme of the request, as `client_of` returns them. For a plain-text request
///    without `trusted_proxies`, https is accepted too, since a proxy may terminate TLS.
/// 3. Without any of these fields the client is not a browser, and other sites cannot misuse it: the request passes,
///    unless `browsers_only` is set.
///
/// Requests from one of `trusted_origins` pass as well. With `token_secrets`, requests also need a token that
/// `csrf_token` generated for this session.
///
/// Throws `std::invalid_argument` for an invalid origin or a secret that is too short.
class csrf {
public:
    csrf();
    explicit csrf(csrf_options);

    // Middleware interface, used by the app.
    using sets = void;
    result<void> operator()(request&) const;
    security_note security() const;

private:
    friend std::string csrf_token(request&);
    struct parts;
    struct reference {
        const parts* of;
    };
    detail::owned_parts<parts> parts_;
};

/// Returns a CSRF token for a form or script of this response, bound to the session.
/// The token has 64 letters, digits, '-' and '_', and is different each time. The page sends it back in the field
/// `x-csrf-token` or, if the handler takes the whole body, as `csrf_token` in an urlencoded body. The token is valid as
/// long as the session keeps its id.
///
/// Throws `std::logic_error` unless the route is inside `csrf` with `token_secrets`, and inside `sessions`.
std::string csrf_token(request&);

}  // namespace apus
