// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace apus::http {

/// What one core has counted since it started. Written by that core alone.
struct metrics {
    std::uint64_t connections_opened = 0;
    std::uint64_t connections_refused = 0;    ///< Over a limit on connections.
    std::uint64_t handshakes = 0;             ///< Of TLS, that succeeded.
    std::uint64_t handshakes_resumed = 0;     ///< Of these, with a session from before.
    std::uint64_t handshakes_failed = 0;      ///< That were broken off by either side, or took too long.
    std::uint64_t handshakes_refused = 0;     ///< That gave way to newer ones, over the limit on those in progress.
    std::uint64_t proxy_headers_refused = 0;  ///< Of peers that are no trusted proxy, malformed, or late.
    std::uint64_t requests = 0;               ///< Whose head was understood.
    std::uint64_t refusals = 0;               ///< Bytes that were no request, or broke a limit.
    std::uint64_t deadlines = 0;              ///< Requests and responses that were given up for their slowness.
    std::uint64_t cancelled = 0;              ///< Handlers whose client went away.
    std::uint64_t responses[6] = {};          ///< By the first digit of their status.
    std::uint64_t upgrades = 0;
    std::uint64_t memory_refusals = 0;  ///< Requests answered with 503 for lack of memory.
    std::uint64_t memory_cuts = 0;      ///< Connections closed for lack of memory.
    std::uint64_t h2_connections = 0;
    /// Connections ended for streams that were reset too often, by either side.
    std::uint64_t h2_resets = 0;
    /// Connections ended for frames that bring nothing, and heads far too large.
    std::uint64_t h2_floods = 0;
    std::uint64_t h2_windows_held = 0;  ///< Responses given up because their client gave no window.

    void count_response(int status) noexcept {
        constexpr unsigned last = std::size(decltype(responses){}) - 1;
        ++responses[std::min(static_cast<unsigned>(status) / 100, last)];
    }
};

}  // namespace apus::http
