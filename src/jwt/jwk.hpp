// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jwt/members.hpp"

#include <apus/jwt.hpp>

namespace apus::jwt {

/// Returns the key in a JWK (RFC 7517, 4), or an error.
result<key> read_jwk(const members&);

/// Returns the signature keys of supported types in a JWKS (RFC 7517, 5).
result<std::vector<key>> read_jwks(std::string_view json);

}  // namespace apus::jwt
