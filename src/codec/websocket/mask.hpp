// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace apus::codec::websocket {

/// Puts the mask on a payload, or takes it off, in place (RFC 6455, 5.3). `mask` is as it lies in
/// memory; `offset` says how many bytes of the payload came before these.
void apply_mask(char* bytes, std::size_t size, std::uint32_t mask, std::uint64_t offset = 0) noexcept;

}  // namespace apus::codec::websocket
