// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace apus::base {

/// A 128-bit secret from the kernel's random number generator.
using hash_secret = std::array<std::uint64_t, 2>;

/// SipHash-2-4 (Aumasson and Bernstein, 2012).
/// Without the secret, collisions cannot be constructed, so clients cannot degrade a hash table.
std::uint64_t keyed_hash(std::string_view text, const hash_secret& secret) noexcept;

}  // namespace apus::base
