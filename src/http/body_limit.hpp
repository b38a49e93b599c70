// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/exchange.hpp"

#include <apus/limits.hpp>

#include <cstdint>

namespace apus::http {

inline constexpr codec::refusal body_too_large{413, "the body is larger than this route takes"};

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

}  // namespace apus::http
