// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::crypto {

/// Texts that only the holder of a key can read, or change unnoticed: XChaCha20-Poly1305 with a
/// random nonce for each. Several keys at a time let keys be changed: the first one seals, all open.
/// Does not change once made: any thread may use it.
class sealed_box {
public:
    static constexpr std::size_t overhead = 1 + 24 + 16;  ///< Bytes that sealing adds: version, nonce and tag.
    static constexpr std::size_t least_secret = 32;       ///< Bytes of a secret at least.

    /// A key is derived from each secret and `purpose`, so that one secret may serve several
    /// purposes. Throws `std::invalid_argument` if there is none, or one that is too short.
    sealed_box(const std::vector<std::string>& secrets, std::string_view purpose);
    sealed_box(const sealed_box&) = default;
    sealed_box& operator=(const sealed_box&) = default;
    ~sealed_box();

    /// `bound_to` is not stored, but needed again to open it: the name of the place where the text
    /// will be, so that it is worth nothing in another.
    std::string seal(std::string_view plain, std::string_view bound_to) const;

    /// What was sealed, or nothing if it was not sealed by one of the keys, or for another place.
    std::optional<std::string> open(std::string_view sealed, std::string_view bound_to) const;

private:
    using key = std::array<unsigned char, 32>;
    std::vector<key> keys_;
};

/// Throws `std::invalid_argument`, which names `purpose`, if a secret has less than
/// `sealed_box::least_secret` bytes.
void check_secret(std::string_view secret, std::string_view purpose);

}  // namespace apus::crypto
