// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace apus::redis {

inline constexpr unsigned slots = 16'384;  ///< Number of hash slots of a cluster.

/// Returns the part of a key that determines its slot.
/// This is the text between the first `{` and the next `}` if it is not empty, otherwise the whole key.
std::string_view hashed_part(std::string_view key) noexcept;
std::uint16_t slot_of_key(std::string_view key) noexcept;

}  // namespace apus::redis
