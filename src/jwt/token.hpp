// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crypto/signature_algorithm.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace apus::jwt {

/// Parts of a compact JWS (RFC 7515, 7.1), not yet verified.
struct token {
    std::string_view signed_part;  ///< Header and payload as sent, with the dot between them.
    crypto::signature_algorithm algorithm{};
    std::optional<std::string> key_id;
    std::string type;  ///< `typ`, in lower case and without "application/".
    std::string payload;
    std::string signature;
};

/// Parses `text` into `out`. Returns null, or why the token is rejected.
/// Reasons: not three parts of base64url; a header that is not a JSON object, has duplicate members, names an
/// unsupported algorithm, or requires extensions. Header members that contain a key are ignored.
const char* read_token(std::string_view text, token& out);

}  // namespace apus::jwt
