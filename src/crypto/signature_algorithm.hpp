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
    secret,  ///< HMAC: who checks can sign too.
    rsa,
    elliptic,  ///< ECDSA.
    edwards    ///< Ed25519.
};

/// What is fixed by an algorithm.
struct algorithm_facts {
    std::string_view name;  ///< As in the `alg` of a JWS.
    key_family family;
    const char* digest;       ///< By OpenSSL's name; null for Ed25519, which has its own inside.
    std::size_t digest_size;  ///< In bytes.
    const char* curve;        ///< By OpenSSL's name, of ECDSA.
    int curve_bits;
};

const algorithm_facts& facts(signature_algorithm) noexcept;

/// The algorithm of exactly this name, case included.
std::optional<signature_algorithm> signature_algorithm_named(std::string_view) noexcept;

}  // namespace apus::crypto
