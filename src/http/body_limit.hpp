// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/exchange.hpp"

#include <apus/limits.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace apus::http {

inline constexpr codec::refusal body_too_large{413, "the body is larger than this route takes"};

inline constexpr std::string_view handler_too_slow = "the handler took too long";

/// Sets what the route of an exchange allows its body, or else the server does.
inline void set_body_limits(exchange& x, std::uint32_t& rate, const limits& of_server) noexcept {
    const route_limits own = x.plan ? x.plan->limits : route_limits{};
    x.max_body = own.body ? own.body : of_server.body;
    rate = own.body_rate ? own.body_rate : of_server.body_rate;
}

/// How long a handler may take by its route, or else by the server. 0 or less: as long as it likes.
inline duration handler_limit(const exchange& x, const limits& of_server) noexcept {
    const duration own = x.plan->limits.handler;
    return own == duration() ? of_server.handler : own;
}

/// Adds a piece to a body, or a message, that comes in pieces. `all` is its size, or 0 where that is not known:
/// once a part has come that is worth it, no more memory is taken than that.
inline void append_piece(std::string& to, std::string_view piece, std::uint64_t all) {
    const std::size_t need = to.size() + piece.size();
    if (need > to.capacity()) {
        constexpr std::uint64_t serious = 64 * 1024;  // a client that has sent as much will send the rest
        const std::uint64_t grown = std::max<std::uint64_t>(need, to.capacity() * 2);
        const bool ends_soon = all >= need && (all <= grown || (need > serious && all / 16 <= need));
        to.reserve(ends_soon ? all : grown);
    }
    to.append(piece);
}

}  // namespace apus::http
