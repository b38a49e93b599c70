// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::crypto {

/// Encrypts and authenticates texts with XChaCha20-Poly1305 and a random nonce for each text.
/// Several keys allow key rotation: the first key seals, all keys open. Immutable and thread-safe.
class sealed_box {
public:
    static constexpr std::size_t overhead = 1 + 24 + 16;  ///< Bytes added by sealing: version, nonce and tag.
    static constexpr std::size_t min_secret = 32;         ///< Minimum size of a secret in bytes.

    /// Derives a key from each secret and `purpose`, so that a secret may serve several purposes.
    /// Throws `std::invalid_argument` if the list is empty or a secret is too short.
    sealed_box(const std::vector<std::string>& secrets, std::string_view purpose);
    sealed_box(const sealed_box&) = default;
    sealed_box& operator=(const sealed_box&) = default;
    ~sealed_box();

    /// Seals a text. `open` needs the same `bound_to`, which is not stored.
    /// Pass the name of the place where the text will be stored, such as the name of a cookie. `open` then rejects the
    /// text in other places.
    std::string seal(std::string_view plain, std::string_view bound_to) const;

    /// Returns the plaintext; nothing if the key or `bound_to` differs.
    std::optional<std::string> open(std::string_view sealed, std::string_view bound_to) const;

private:
    using key = std::array<unsigned char, 32>;
    std::vector<key> keys_;
};

/// Throws `std::invalid_argument` with `purpose` if a secret is too short.
/// A secret needs at least `sealed_box::min_secret` bytes.
void check_secret(std::string_view secret, std::string_view purpose);

}  // namespace apus::crypto
