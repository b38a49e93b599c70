// SPDX-License-Identifier: Apache-2.0
#pragma once

// The authenticated sender of a request, and authorization. For authentication see bearer_auth.hpp, basic_auth.hpp,
// api_key_auth.hpp.

#include <apus/middleware.hpp>
#include <apus/security_note.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace apus {

/// The authenticated sender of a request.
/// Handlers take a `const identity&`. If no middleware of the route can set an identity, creating the service throws
/// `std::logic_error`, which names the route. If middleware can set an identity but did not, the client gets 500.
struct identity {
    std::string subject;              ///< Name of the user or program, assigned by the issuer.
    std::vector<std::string> roles;   ///< Roles of the subject.
    std::vector<std::string> scopes;  ///< Scopes of these credentials.
    std::string claims;               ///< All claims of a token, as JSON; empty for other credentials.
    std::string scheme;               ///< Authentication scheme: "Bearer", "Basic" or "ApiKey".

    bool has_role(std::string_view) const noexcept;   ///< Names are case-sensitive.
    bool has_scope(std::string_view) const noexcept;  ///< Names are case-sensitive.
};

/// Enables `identity` as a parameter of handlers.
template <>
inline constexpr bool request_value<identity> = true;

/// Middleware that accepts identities with one of these roles, and rejects others with 403.
/// Place it inside the authentication middleware. A request without an identity is a bug of the program: it gets 500,
/// and an error is logged.
class require_role {
public:
    explicit require_role(std::string_view role) : require_role({role}) {}
    require_role(std::initializer_list<std::string_view> any_of) : any_of_(any_of.begin(), any_of.end()) {}

    // Middleware interface, used by the app.
    using sets = void;
    using needs = identity;
    pending_response operator()(request&, response& out, next_handler) const;
    security_note security() const;

private:
    std::vector<std::string> any_of_;
};

/// Middleware that requires all of these scopes.
/// For bearer tokens, the 403 has `insufficient_scope` with the missing scopes (RFC 6750, 3.1).
class require_scope {
public:
    explicit require_scope(std::string_view scope) : require_scope({scope}) {}
    require_scope(std::initializer_list<std::string_view> all_of) : all_of_(all_of.begin(), all_of.end()) {}

    // Middleware interface, used by the app.
    using sets = void;
    using needs = identity;
    pending_response operator()(request&, response& out, next_handler) const;
    security_note security() const;

private:
    std::vector<std::string> all_of_;
};

}  // namespace apus
