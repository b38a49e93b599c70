// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace apus::http {

inline constexpr codec::refusal body_too_large{413, "the body exceeds the limit of this route"};

/// Appends a piece to a body or message that arrives in pieces.
/// `all` is the total size, or 0 if unknown. Reserves exactly the total size when enough bytes have arrived.
inline void append_piece(std::string& to, std::string_view piece, std::uint64_t all) {
    const std::size_t need = to.size() + piece.size();
    if (need > to.capacity()) {
        constexpr std::uint64_t serious = 64 * 1024;  // a client that has sent this much will probably send the rest
        const std::uint64_t grown = std::max<std::uint64_t>(need, to.capacity() * 2);
        const bool ends_soon = all >= need && (all <= grown || (need > serious && all / 16 <= need));
        to.reserve(ends_soon ? all : grown);
    }
    to.append(piece);
}

}  // namespace apus::http
