// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace apus::crypto {

/// What argon2id takes to compute (RFC 9106, 3.1), with one lane.
struct argon2id_cost {
    std::uint32_t memory;  ///< In KiB.
    std::uint32_t passes;

    bool operator==(const argon2id_cost&) const = default;
};

/// The password's hash with a random salt, as a text that says its cost too. Blocks for tens of
/// milliseconds. Throws `std::bad_alloc` if there is not so much memory.
std::string argon2id(std::string_view password, argon2id_cost);

/// Whether the password is that of a text made by `argon2id`, here or elsewhere. Blocks as long.
/// Throws `std::bad_alloc` if there is not so much memory.
bool is_argon2id_of(const std::string& text, std::string_view password);

/// The cost that a text says, with its memory and passes of all lanes; nothing if it is no such text.
std::optional<argon2id_cost> argon2id_cost_of(std::string_view text);

/// A text like those of `argon2id` that is of no password: comparing with it takes as long.
std::string argon2id_of_nobody(argon2id_cost);

}  // namespace apus::crypto
