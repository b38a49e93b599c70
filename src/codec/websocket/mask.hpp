// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace apus::codec::websocket {

/// Masks or unmasks a payload in place (RFC 6455, 5.3).
/// `mask` is in memory order. `offset` is the number of payload bytes that precede `bytes`.
void apply_mask(char* bytes, std::size_t size, std::uint32_t mask, std::uint64_t offset = 0) noexcept;

}  // namespace apus::codec::websocket
