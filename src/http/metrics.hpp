// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace apus::http {

/// Counters of one core since its start. Written by that core only.
struct metrics {
    std::uint64_t connections_opened = 0;
    std::uint64_t connections_refused = 0;    ///< connections over a limit
    std::uint64_t handshakes = 0;             ///< completed TLS handshakes
    std::uint64_t handshakes_resumed = 0;     ///< completed TLS handshakes that resumed a session
    std::uint64_t handshakes_failed = 0;      ///< TLS handshakes that were aborted by either side or timed out
    std::uint64_t handshakes_refused = 0;     ///< evicted by newer ones, over the limit of handshakes in progress
    std::uint64_t proxy_headers_refused = 0;  ///< untrusted peer, malformed header, or timeout
    std::uint64_t requests = 0;               ///< with a valid head
    std::uint64_t refusals = 0;               ///< invalid input, or input over a limit
    std::uint64_t deadlines = 0;              ///< requests and responses aborted for slowness
    std::uint64_t cancelled = 0;              ///< handlers whose client disconnected
    std::uint64_t responses[6] = {};          ///< by the first digit of the status
    std::uint64_t upgrades = 0;
    std::uint64_t memory_refusals = 0;  ///< Requests answered with 503 for lack of memory.
    std::uint64_t memory_cuts = 0;      ///< Connections closed for lack of memory.
    std::uint64_t h2_connections = 0;
    /// Connections closed because too many streams were reset, by either side.
    std::uint64_t h2_resets = 0;
    /// Connections closed for too many frames without effect, or for heads far too large.
    std::uint64_t h2_floods = 0;
    std::uint64_t h2_windows_held = 0;  ///< responses aborted because the client did not open its flow-control window

    void count_response(int status) noexcept {
        constexpr unsigned last = std::size(decltype(responses){}) - 1;
        ++responses[std::min(static_cast<unsigned>(status) / 100, last)];
    }
};

}  // namespace apus::http
