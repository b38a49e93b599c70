// SPDX-License-Identifier: Apache-2.0
#include "crypto/signature_algorithm.hpp"

namespace apus::crypto {
namespace {

// In the order of the enumerators.
constexpr algorithm_facts table[] = {
    {"HS256", key_family::secret, "SHA256", 32, nullptr, 0},
    {"HS384", key_family::secret, "SHA384", 48, nullptr, 0},
    {"HS512", key_family::secret, "SHA512", 64, nullptr, 0},
    {"RS256", key_family::rsa, "SHA256", 32, nullptr, 0},
    {"RS384", key_family::rsa, "SHA384", 48, nullptr, 0},
    {"RS512", key_family::rsa, "SHA512", 64, nullptr, 0},
    {"PS256", key_family::rsa, "SHA256", 32, nullptr, 0},
    {"ES256", key_family::elliptic, "SHA256", 32, "prime256v1", 256},
    {"ES384", key_family::elliptic, "SHA384", 48, "secp384r1", 384},
    {"EdDSA", key_family::edwards, nullptr, 0, nullptr, 0},
};

}  // namespace

const algorithm_facts& facts(signature_algorithm of) noexcept { return table[static_cast<std::size_t>(of)]; }

std::optional<signature_algorithm> signature_algorithm_named(std::string_view name) noexcept {
    for (std::size_t i = 0; i < std::size(table); ++i)
        if (table[i].name == name) return static_cast<signature_algorithm>(i);
    return std::nullopt;
}

}  // namespace apus::crypto
