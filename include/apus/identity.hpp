// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who sends a request, and what it takes to get further. Who finds out: bearer_auth.hpp,
// basic_auth.hpp, api_key_auth.hpp.

#include <apus/detail/chain.hpp>
#include <apus/detail/parameters.hpp>
#include <apus/security_note.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace apus {

/// Who sends a request, as its credentials have proved. Handlers take a `const identity&`. Where no
/// middleware around the route sets one, making the service throws `std::logic_error`, which names the
/// route; where one may, such as a filter of yours, but has not, the client gets 500.
struct identity {
    std::string subject;              ///< The name of the user or program, as who knows it has given it.
    std::vector<std::string> roles;   ///< What the subject is.
    std::vector<std::string> scopes;  ///< What these credentials may be used for.
    std::string claims;               ///< All that a token says, as JSON; empty for other credentials.
    std::string scheme;               ///< How it was proved: "Bearer", "Basic" or "ApiKey".

    bool has_role(std::string_view) const noexcept;   ///< Compared exactly.
    bool has_scope(std::string_view) const noexcept;  ///< Compared exactly.
};

/// Handlers may take it.
template <>
inline constexpr bool request_value<identity> = true;

/// Middleware that lets those pass who have one of these roles, and answers others with 403. Stands
/// inside authentication: a request that nobody has authenticated gets 500, since then the program
/// is wrong, and an error in the log.
class require_role {
public:
    explicit require_role(std::string_view role) : require_role({role}) {}
    require_role(std::initializer_list<std::string_view> any_of) : any_of_(any_of.begin(), any_of.end()) {}

    // For the app.
    static constexpr detail::body_use body = detail::body_use::ignored;
    static constexpr const void* sets = detail::sets_nothing;
    detail::pending run(const detail::step* rest, request&, response& out) const;
    security_note asks() const;

private:
    std::vector<std::string> any_of_;
};

/// The same for credentials that have all of these scopes; the 403 says which by `insufficient_scope`
/// (RFC 6750, 3.1) to those who came with a bearer token.
class require_scope {
public:
    explicit require_scope(std::string_view scope) : require_scope({scope}) {}
    require_scope(std::initializer_list<std::string_view> all_of) : all_of_(all_of.begin(), all_of.end()) {}

    // For the app.
    static constexpr detail::body_use body = detail::body_use::ignored;
    static constexpr const void* sets = detail::sets_nothing;
    detail::pending run(const detail::step* rest, request&, response& out) const;
    security_note asks() const;

private:
    std::vector<std::string> all_of_;
};

}  // namespace apus
