// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every limit and deadline of the server, with its default, its unit, and what breaking it gives.
// 0 means "no limit" only where it is said so.

#include <apus/duration.hpp>

#include <cstddef>
#include <cstdint>

namespace apus {

/// What one client may use. Every member may be set; no member is off unless it says so.
struct limits {
    std::uint32_t request_line = 8 * 1024;  ///< Bytes of a request line, with its CRLF. Over it: 414. At most 32,768.
    /// Field lines of a head, and again of a trailer section. Over it: 431. At most 128.
    std::uint32_t fields = 100;
    /// Bytes of all field lines together. Over it: 431. At most 32,768. Also of all chunk extensions of a body
    /// together. Over it: 400.
    std::uint32_t field_bytes = 16 * 1024;
    std::uint64_t body = 1024 * 1024;  ///< Bytes of a request body, once its framing is taken off. Over it: 413.

    /// Bytes that the server holds for all clients together. Near it new work is refused: 503. 0: half of what the
    /// cgroup or the machine has.
    std::uint64_t memory = 0;
    /// Bytes that the bodies and answers of one HTTP/2 connection take together. Over it handlers wait and bodies are
    /// refused: 503.
    std::uint64_t connection_memory = 8 * 1024 * 1024;

    /// From a head's first byte to its end. Then 408. A connection that sends nothing at all is closed after this
    /// time too. In HTTP/2, from the first byte of any frame to its end; of DATA, from byte to byte. Then the
    /// connection is ended.
    duration head = seconds(10);
    /// Between a response and the next request. Then the connection is closed.
    duration idle = seconds(20);
    /// From the end of the head (and of the body, if the handler takes it whole) to the response. Then 503, and its
    /// task is cancelled. 0: no limit.
    duration handler = seconds(30);
    /// Bytes a second, on average over each `rate_window`, that a body must arrive with. Then 408.
    std::uint32_t body_rate = 240;
    /// Bytes a second, on average over each `rate_window`, that a client must take of a response that waits for it.
    /// Then the connection is reset.
    std::uint32_t drain_rate = 240;
    duration rate_window = seconds(5);  ///< What the two rates are measured over, for each request by itself.

    /// From the start of a TLS connection to the first byte of its handshake. Then the connection is closed.
    duration hello = seconds(3);
    /// From the first byte of a TLS handshake to its end. Then the connection is closed.
    duration handshake = seconds(10);
    /// TLS handshakes in progress, in all. Over it the core closes its oldest one.
    std::uint32_t handshakes = 1'000;
    std::uint32_t connections = 65'536;  ///< Open connections, in all. Over it the newest is closed at once.
    /// Open connections of one IP address; over it the newest is closed at once. 0: no limit, since many clients may
    /// share a proxy's address.
    std::uint32_t connections_per_address = 0;
    /// Requests under way on one HTTP/2 connection. Over it: the stream is refused, which counts as a reset.
    std::uint32_t h2_streams = 100;
    /// Bytes of one request's body that an HTTP/2 client may send before the handler reads. At most 2^31-1.
    std::uint32_t h2_stream_window = 256 * 1024;
    /// The same of all requests of a connection together. From 2^16-1 to 2^31-1.
    std::uint32_t h2_connection_window = 1024 * 1024;
    /// HTTP/2 streams that end by a reset, whoever sends it, at once; and a tenth of it more each second. Over it:
    /// the connection is ended.
    std::uint32_t h2_resets = 200;
    /// HTTP/2 frames that carry nothing (PING, SETTINGS, PRIORITY, empty DATA, small WINDOW_UPDATE, unknown ones) at
    /// once; a tenth of it more each second, and one for each request and each KiB of body. Over it: the connection
    /// is ended.
    std::uint32_t h2_control_frames = 1000;
    /// Requests on one connection; the last is answered with `Connection: close`. 0: no limit.
    std::uint64_t requests_per_connection = 0;
};

/// What one route may set for itself; a member left at its default takes the server's value.
struct route_limits {
    std::uint64_t body = 0;       ///< As `limits::body`. 0: the server's.
    duration handler = {};        ///< As `limits::handler`. 0: the server's. Negative: none.
    std::uint32_t body_rate = 0;  ///< As `limits::body_rate`. 0: the server's.
};

}  // namespace apus
