// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/jwt.hpp>

namespace apus::jwt {

/// What may go on being true of claims, and for how long.
struct believed {
    claims said;
    std::int64_t until = 0;  ///< In seconds since 1970: from then on they are not believed any more.
};

/// What makes claims.
struct claims_access {
    /// Reads the payload of a token whose signature matched. Null, or why it is refused.
    static const char* read(std::string_view payload, const expectations&, std::int64_t now, believed& out);
};

}  // namespace apus::jwt
