// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/identity.hpp>

#include <string>
#include <string_view>

namespace apus::middleware {

/// What a request brings for one scheme.
struct presented {
    enum class what {
        nothing,  ///< No field, or one of another scheme.
        token,
        malformed  ///< A field that is none, or two of them.
    };
    what state = what::nothing;
    std::string_view token;  ///< Valid as long as the request.
};

/// What Authorization brings for `scheme`, which is in lower case.
presented present_credentials(request&, std::string_view scheme);

/// Answers with a problem document that is not to be stored, and what is said in WWW-Authenticate.
detail::pending challenge(response& out, int status, std::string_view detail, std::string_view www_authenticate);

/// Throws `std::invalid_argument`, which names `whose`, unless the text can stand between quotes.
void check_realm(std::string_view realm, const char* whose);

/// How a realm is told in a description.
inline std::string describe_realm(std::string_view realm) { return "For the realm \"" + std::string(realm) + "\"."; }

/// Whether the request passes as it is: somebody else has found out who sends it.
inline bool is_known(request& req) noexcept { return req.find<identity>() != nullptr; }

}  // namespace apus::middleware
