// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/counter.hpp"
#include "base/duration_counts.hpp"
#include "base/duration_histogram.hpp"
#include "http/exemplars.hpp"
#include "http/request_history.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace apus::http {

/// Counters of one route on one core. Written by that core only.
struct route_counters {
    base::counter responses[6];  ///< By the first digit of the status. Index 0: cancelled before the response.
    base::counter received;      ///< Bytes of request bodies.
    base::counter sent;          ///< Bytes of response bodies, without framing.
    /// From the arrival of the head's last bytes to the end of the response. Tunnels are not counted.
    base::duration_counts durations;
    lazy_history history;
    lazy_exemplars exemplars;
};

/// Counters of one core since its start. Written by that core only, read by any thread.
struct metrics {
    base::counter connections_opened;
    base::counter connections_closed;
    base::counter connections_refused;    ///< connections over `limits::connections`
    base::counter addresses_refused;      ///< connections over `limits::connections_per_address`
    base::counter memory_connections;     ///< connections refused for lack of memory
    base::counter handshakes_begun;       ///< connections with TLS
    base::counter handshakes;             ///< completed TLS handshakes
    base::counter handshakes_resumed;     ///< completed TLS handshakes that resumed a session
    base::counter handshakes_failed;      ///< TLS handshakes that were aborted by either side or timed out
    base::counter handshakes_refused;     ///< oldest handshakes, ended because too many were in progress
    base::counter proxy_headers_refused;  ///< untrusted proxy, malformed PROXY header, or timeout
    base::counter requests;               ///< with a valid head
    base::counter requests_ended;         ///< `requests` minus this is the number of requests in flight
    base::counter refusals;               ///< invalid input
    base::counter heads_refused;          ///< heads over a limit: 414, 431
    base::counter bodies_refused;         ///< bodies over a limit: 413
    base::counter deadlines;              ///< requests and responses that were aborted by a timeout
    base::counter rates_refused;          ///< requests and responses that were aborted for a too low rate
    base::counter cancelled;              ///< handlers whose client disconnected
    base::counter responses_aborted;      ///< streamed responses that failed after their head was sent
    base::counter responses[6];           ///< by the first digit of the status
    base::counter upgrades;
    base::counter upgrades_ended;
    base::counter memory_refusals;  ///< Requests that got 503 for lack of memory.
    base::counter memory_cuts;      ///< Connections closed for lack of memory.
    base::counter h2_connections;
    base::counter h2_closed;          ///< HTTP/2 connections that ended.
    base::counter h2_requests;        ///< HTTP/2 requests, which are also in `requests`
    base::counter h2_requests_ended;  ///< also in `requests_ended`
    base::counter h2_activations;     ///< HTTP/2 connections that got a stream while they had none
    base::counter h2_deactivations;   ///< HTTP/2 connections whose last stream ended
    /// Connections closed because too many streams were reset, by either side.
    base::counter h2_resets;
    /// Floods: connections closed for too many frames without effect, and streams reset for far too
    /// large heads.
    base::counter h2_floods;
    base::counter h2_windows_held;  ///< responses aborted because the client sent WINDOW_UPDATE too slowly
    /// Requests without a route: rejected before routing, or without a route for path or method.
    route_counters unmatched;
    /// Durations of the event loop's iterations (turns), from wake-up until responses are sent.
    base::duration_histogram turns;

    /// Counts a refused request by the status of its response.
    void count_refusal(int status) noexcept {
        ++(status == 413 ? bodies_refused : status == 414 || status == 431 ? heads_refused : refusals);
    }
    void count_response(int status) noexcept { ++responses[status_class(status)]; }
    static unsigned status_class(int status) noexcept {
        constexpr unsigned last = std::size(decltype(responses){}) - 1;
        return std::min(static_cast<unsigned>(status) / 100, last);
    }
};

}  // namespace apus::http
