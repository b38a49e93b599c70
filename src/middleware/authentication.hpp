// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/identity.hpp>

#include <string>
#include <string_view>

namespace apus::middleware {

/// Credentials of a request for one scheme.
struct presented {
    enum class what {
        nothing,  ///< No Authorization field, or another scheme.
        token,
        malformed  ///< A malformed or repeated field.
    };
    what state = what::nothing;
    std::string_view token;  ///< Valid for the lifetime of the request.
};

/// Reads the credentials in Authorization for `scheme`, which is in lower case.
presented present_credentials(request&, std::string_view scheme);

/// Sends a problem document with WWW-Authenticate that must not be cached.
pending_response challenge(response& out, int status, std::string_view detail, std::string_view www_authenticate);

/// Throws `std::invalid_argument` if the realm cannot be a quoted string.
/// `whose`: name in the message.
void check_realm(std::string_view realm, const char* whose);

/// Returns the text for a realm in an API description.
inline std::string describe_realm(std::string_view realm) { return "For the realm \"" + std::string(realm) + "\"."; }

/// Whether other middleware has already authenticated the request.
inline bool is_known(request& req) noexcept { return req.find<identity>() != nullptr; }

}  // namespace apus::middleware
