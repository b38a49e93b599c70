// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/jwt.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace apus::crypto {

using signature_algorithm = jwt::algorithm;

enum class key_family : std::uint8_t {
    secret,  ///< HMAC: the verifying key can sign too.
    rsa,
    elliptic,  ///< ECDSA.
    edwards    ///< Ed25519.
};

/// Properties of an algorithm.
struct algorithm_facts {
    std::string_view name;  ///< Value of `alg` in a JWS.
    key_family family;
    const char* digest;       ///< OpenSSL's name; null for Ed25519, which includes a digest.
    std::size_t digest_size;  ///< In bytes.
    const char* curve;        ///< OpenSSL's name; only for ECDSA.
    int curve_bits;
};

const algorithm_facts& facts(signature_algorithm) noexcept;

/// Returns the algorithm with exactly this name; names are case-sensitive.
std::optional<signature_algorithm> signature_algorithm_named(std::string_view) noexcept;

}  // namespace apus::crypto
