// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jwt/members.hpp"

#include <apus/jwt.hpp>

namespace apus::jwt {

/// The key of a JWK (RFC 7517, 4), or what is wrong with it.
result<key> read_jwk(const members&);

/// The keys of a JWKS that are for signatures and of a kind that is known (RFC 7517, 5).
result<std::vector<key>> read_jwks(std::string_view json);

}  // namespace apus::jwt
