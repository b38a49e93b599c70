// SPDX-License-Identifier: Apache-2.0
#pragma once

// Authentication and authorization required by middleware, for API descriptions (openapi.hpp).

#include <string>
#include <vector>

namespace apus {

/// Security requirement of a middleware.
/// `basic_auth`, `bearer_auth`, `api_key_auth`, `require_role`, `require_scope` and `csrf` declare their requirements.
/// A program's middleware can declare its requirement by a member `security_note security() const`. The note affects
/// only the description of routes.
struct security_note {
    /// Kinds of credentials.
    enum class proof : unsigned char {
        nothing,  ///< The middleware requires no credentials.
        basic,    ///< `Authorization: Basic`.
        bearer,   ///< `Authorization: Bearer`.
        header,   ///< A custom header field.
        cookie
    };
    proof by = proof::nothing;
    std::string name = {};          ///< Name of the field or cookie.
    std::string token_format = {};  ///< Format of a bearer token, such as "JWT".
    std::string description = {};   ///< Text in CommonMark.
    bool may_be_missing = false;    ///< Requests without credentials are accepted.
    /// True for alternatives: a request must satisfy only one of the middlewares with this flag.
    bool one_is_enough = false;

    std::vector<std::string> roles = {};   ///< One of these roles is required.
    std::vector<std::string> scopes = {};  ///< All of these scopes are required.
    bool forbids = false;                  ///< The middleware may respond with 403 for other reasons.
    bool only_changes = false;             ///< Requirements do not apply to GET, HEAD and OPTIONS.
    std::string takes_field = {};          ///< Lower-case name of an optional field that the middleware reads.
};

}  // namespace apus
