// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/identity.hpp>

#include <string>
#include <string_view>

namespace apus::middleware {

/// The credentials of a request for one authentication scheme.
struct presented {
    enum class what {
        nothing,  ///< There is no Authorization field, or it has another scheme.
        token,
        malformed  ///< The Authorization field is malformed or repeated.
    };
    what state = what::nothing;
    std::string_view token;  ///< Valid for the lifetime of the request.
};

/// Reads the credentials in Authorization for `scheme`, which is in lower case.
presented present_credentials(request&, std::string_view scheme);

/// Sets `out` to a problem document with WWW-Authenticate and `Cache-Control: no-store`.
pending_response challenge(response& out, int status, std::string_view detail, std::string_view www_authenticate);

/// Throws `std::invalid_argument` if the realm cannot be a quoted string.
/// `whose`: name of the middleware in the message.
void check_realm(std::string_view realm, const char* whose);

/// Returns the description of a realm for the OpenAPI document.
inline std::string describe_realm(std::string_view realm) { return "For the realm \"" + std::string(realm) + "\"."; }

/// Returns whether other middleware has already authenticated the request.
inline bool is_known(request& req) noexcept { return req.find<identity>() != nullptr; }

}  // namespace apus::middleware
