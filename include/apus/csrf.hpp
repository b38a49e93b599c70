// SPDX-License-Identifier: Apache-2.0
#pragma once

// Keeps other sites from causing requests that change something in the name of a visitor (CSRF).

#include <apus/detail/owned_parts.hpp>
#include <apus/http.hpp>
#include <apus/security_note.hpp>

#include <string>
#include <vector>

namespace apus {

/// A filter that lets a browser's request change something only if a page of this origin has caused
/// it, and answers others with 403. GET, HEAD and OPTIONS pass, as they change nothing, unless they
/// upgrade the connection. For the others it asks, in this order:
///
/// 1. `Sec-Fetch-Site`, which browsers set and pages cannot: `same-origin` and `none` (the user
///    himself) pass, and all else is of another origin.
/// 2. Without it, `Origin`, or without that the origin of `Referer`: it must be that of the request:
///    its host and, as far as `client_of` knows it, its scheme. For a request in clear text without
///    `trusted_proxies`, https counts too, since TLS may end in front.
/// 3. Without any of them it is no browser, which a site could not misuse: it passes, unless
///    `browsers_only`.
///
/// Requests of another origin pass if it is one of `trusted_origins`. With `token_secrets` a request
/// also needs a token that a page of this session has got, from `csrf_token`.
///
/// Throws `std::invalid_argument` for an origin that is none, or a secret that is too short.
class csrf {
public:
    /// What passes.
    struct options {
        /// Such as "https://app.example". With SameSite=Lax cookies, only of this site.
        std::vector<std::string> trusted_origins = {};
        bool browsers_only = false;  ///< Requests that do not say where they are from get 403.
        /// Not empty: tokens are needed. Each of 32 bytes or more; the first one makes tokens, all are good.
        std::vector<std::string> token_secrets = {};
    };

    csrf();
    explicit csrf(options);

    // For the app.
    static constexpr const void* sets = detail::sets_nothing;
    result<void> operator()(request&) const;
    security_note asks() const;

private:
    friend std::string csrf_token(request&);
    struct parts;
    struct reference {
        const parts* of;
    };
    detail::owned_parts<parts> parts_;
};

/// A token for a form or script of this answer, bound to the request's session: 64 letters, digits,
/// '-' and '_', different each time. It is sent back in the field `x-csrf-token`, or as `csrf_token` in
/// an urlencoded body of a handler that takes its body whole. Good as long as the session has its id.
///
/// Throws `std::logic_error` where there is no `csrf` with secrets, or no `sessions` in front of it.
std::string csrf_token(request&);

}  // namespace apus
