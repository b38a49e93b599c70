// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace apus::crypto {

/// Cost parameters of argon2id (RFC 9106, 3.1), with one lane.
struct argon2id_cost {
    std::uint32_t memory;  ///< In KiB.
    std::uint32_t passes;

    bool operator==(const argon2id_cost&) const = default;
};

/// Returns a hash of the password with random salt, as text with its cost parameters.
/// Blocks for tens of milliseconds. Throws `std::bad_alloc` if the memory is not available.
std::string argon2id(std::string_view password, argon2id_cost);

/// Whether `text` is an argon2id hash of the password. Blocks as long as `argon2id`.
/// Throws `std::bad_alloc` if the memory is not available.
bool is_argon2id_of(const std::string& text, std::string_view password);

/// Returns the cost parameters of a hash; nothing if the hash is malformed.
std::optional<argon2id_cost> argon2id_cost_of(std::string_view text);

/// Returns a hash that no known password matches, for checking the passwords of unknown users.
/// The check takes as long as for a known user. Reject unknown users regardless of the result.
std::string argon2id_of_nobody(argon2id_cost);

}  // namespace apus::crypto
