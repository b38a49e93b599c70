// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/jwt.hpp>

namespace apus::jwt {

/// Verified claims and their expiry.
struct believed {
    claims said;
    std::int64_t until = 0;  ///< In seconds since 1970: the claims are invalid from then on.
};

/// Creates claims.
struct claims_access {
    /// Parses the payload of a token with a valid signature. Returns null, or why it is rejected.
    static const char* read(std::string_view payload, const verifier_options&, std::int64_t now, believed& out);
};

}  // namespace apus::jwt
