// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crypto/signature_algorithm.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace apus::jwt {

/// What stands in a compact JWS (RFC 7515, 7.1), before anything of it is believed.
struct token {
    std::string_view signed_part;  ///< Header and payload as they were sent, with the dot between.
    crypto::signature_algorithm algorithm{};
    std::optional<std::string> key_id;
    std::string type;  ///< `typ`, in lower case and without "application/".
    std::string payload;
    std::string signature;
};

/// Reads `text` into `out`. Null, or why it is refused: it has not three parts of base64url, its
/// header is no JSON object with distinct members, says an algorithm that is none of those that are
/// known, or wants what is not done here. Members that bring a key are not looked at.
const char* read_token(std::string_view text, token& out);

}  // namespace apus::jwt
