// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace apus::base {

/// A secret of 128 bits, from a source that nobody can foretell.
using hash_secret = std::array<std::uint64_t, 2>;

/// SipHash-2-4 (Aumasson and Bernstein, 2012): who does not know the secret cannot find texts that
/// meet in one value, so a table of what clients send cannot be filled on purpose.
std::uint64_t keyed_hash(std::string_view text, const hash_secret& secret) noexcept;

}  // namespace apus::base
