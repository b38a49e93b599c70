// SPDX-License-Identifier: Apache-2.0
#pragma once

// What middleware asks of a request before it gets further, for descriptions of the service (openapi.hpp).

#include <string>
#include <vector>

namespace apus {

/// What a middleware asks of requests. `basic_auth`, `bearer_auth`, `api_key_auth`, `require_role`,
/// `require_scope` and `csrf` say it of themselves; one of yours does by a member
/// `security_note asks() const`, and nothing changes but what is written of the routes that it stands around.
struct security_note {
    /// How a request proves who sends it.
    enum class proof : unsigned char {
        nothing,  ///< This middleware does not ask for it.
        basic,    ///< `Authorization: Basic`.
        bearer,   ///< `Authorization: Bearer`.
        header,   ///< A field of its own.
        cookie    ///< A cookie.
    };
    proof by = proof::nothing;
    std::string name = {};          ///< Of the field or the cookie.
    std::string token_format = {};  ///< Of a bearer token, such as "JWT".
    std::string description = {};   ///< In words; CommonMark.
    bool may_be_missing = false;    ///< Requests without it pass.
    bool one_is_enough = false;     ///< Who has proved something to another one that says this too passes.

    std::vector<std::string> roles = {};   ///< One of them is needed.
    std::vector<std::string> scopes = {};  ///< All of them are needed.
    bool forbids = false;                  ///< It may answer 403 for reasons of its own.
    bool only_changes = false;             ///< GET, HEAD and OPTIONS pass, and the rest of this is of other methods.
    std::string takes_field = {};          ///< A field that it reads besides, in lower case, which may be missing.
};

}  // namespace apus
