// SPDX-License-Identifier: Apache-2.0
#pragma once

// All limits and timeouts of the server, with default, unit and effect. 0 means "no limit" only where stated.

#include <apus/duration.hpp>

#include <cstddef>
#include <cstdint>

namespace apus {

/// Limits and timeouts for clients. A limit can be disabled only if its comment states it.
struct limits {
    std::uint32_t request_line = 8 * 1024;  ///< Bytes of a request line, with its CRLF. Over it: 414. At most 32,768.
    /// Field lines of a head, and, counted separately, of a trailer section. Over it: 431. At most 128.
    std::uint32_t fields = 100;
    /// Bytes of all header fields together. Over it: 431. At most 32,768.
    /// Also limits all chunk extensions of a body together. Over it: 400.
    std::uint32_t field_bytes = 16 * 1024;
    std::uint64_t body = 1024 * 1024;  ///< Bytes of a request body, without framing. Over it: 413.

    /// Bytes of memory for all clients together.
    /// When usage approaches the limit, new requests get 503. 0: half of the memory of the cgroup or machine.
    std::uint64_t memory = 0;
    /// Bytes of memory for bodies and responses of one HTTP/2 connection.
    /// Over it, handlers wait until responses have been sent, and further request bodies get 503.
    std::uint64_t connection_memory = 8 * 1024 * 1024;

    /// From the first byte of a head to its end.
    /// Over it: 408. Also closes connections that send no data. HTTP/2: from the first byte of a frame to its end; for
    /// DATA, between received bytes. Over it, the connection is closed.
    duration head = seconds(10);
    /// Between a response and the next request. Over it, the connection is closed.
    duration idle = seconds(20);
    /// From the end of the head, or of the body if the handler takes the whole body, to the response.
    /// Over it: 503, and the handler's task is cancelled. 0: no limit.
    duration handler = seconds(30);
    /// Minimum bytes per second of an incoming body, averaged over each `rate_window`. Below it: 408.
    std::uint32_t body_rate = 240;
    /// Minimum bytes per second at which a client must read a pending response.
    /// Averaged over each `rate_window`. Below it, the connection is reset.
    std::uint32_t drain_rate = 240;
    duration rate_window = seconds(5);  ///< Averaging period of the two rates, for each request.

    /// From the start of a connection to the first byte of the TLS handshake.
    /// Over it, the connection is closed.
    duration hello = seconds(3);
    /// From the first byte of a TLS handshake to its end. Over it, the connection is closed.
    duration handshake = seconds(10);
    /// TLS handshakes in progress, in total. Over it, the core aborts its oldest handshake.
    std::uint32_t handshakes = 1'000;
    std::uint32_t connections = 65'536;  ///< Open connections in total. Over it, new connections are closed.
    /// Open connections of one IP address. Over it, new connections are closed.
    /// 0: no limit, which is the default since many clients may share the address of a proxy.
    std::uint32_t connections_per_address = 0;
    /// Concurrent requests on one HTTP/2 connection.
    /// Over it, new streams are refused, which counts as a reset.
    std::uint32_t h2_streams = 100;
    /// Bytes of a body that an HTTP/2 client may send before the handler reads. At most 2^31-1.
    std::uint32_t h2_stream_window = 256 * 1024;
    /// Like `h2_stream_window`, for all requests of a connection together. From 2^16-1 to 2^31-1.
    std::uint32_t h2_connection_window = 1024 * 1024;
    /// HTTP/2 streams reset by either side: size of a token bucket.
    /// A tenth of the size is refilled per second. When the bucket is empty, the connection is closed.
    std::uint32_t h2_resets = 200;
    /// HTTP/2 frames without data: size of a token bucket.
    /// Counts PING, SETTINGS, PRIORITY, empty DATA, small WINDOW_UPDATE and unknown frames. A tenth of the size is
    /// refilled per second. Each request and each KiB of body also refill one token. When the bucket is empty, the
    /// connection is closed.
    std::uint32_t h2_control_frames = 1000;
    /// Requests on one connection; the last response has `Connection: close`. 0: no limit.
    std::uint64_t requests_per_connection = 0;
};

/// Limits of one route. A member with its default value means the server's limit.
struct route_limits {
    std::uint64_t body = 0;       ///< Like `limits::body`. 0: the server's.
    duration handler = {};        ///< Like `limits::handler`. 0: the server's. Negative: no limit.
    std::uint32_t body_rate = 0;  ///< Like `limits::body_rate`. 0: the server's.
};

}  // namespace apus
