// SPDX-License-Identifier: Apache-2.0
#pragma once

// Options of NATS clients.

#include <apus/duration.hpp>

#include <cstddef>
#include <string>

namespace apus::nats {

/// Limits, timeouts and TLS files of a client.
/// Each core has its own connection, so limits apply per core.
struct client_options {
    /// Maximum time for `flush`, and for `publish` to wait for a connection.
    /// Over it: 504, or 503 without a connection. Also the default timeout of requests.
    duration timeout = seconds(5);
    /// Maximum time for name resolution, connecting, the TLS handshake and authentication.
    /// Over it: 503, also for a message that has waited this long for a connection.
    duration connect_timeout = seconds(3);
    /// Interval of PING.
    /// A server that sends nothing from one PING until the next is due is considered lost.
    duration ping_interval = seconds(5);
    /// Maximum number of requests in flight, and of messages that wait for a connection, per core.
    /// Over it: 503 with Retry-After.
    std::size_t queue = 16'384;
    /// Maximum bytes of a received message with its headers. Over it, the connection is closed.
    /// The default is the maximum of NATS servers. At least `max_payload` of the server.
    std::size_t message_size = std::size_t(64) << 20U;
    /// Maximum unread messages per subscription.
    /// Over it, the oldest messages are dropped, and `subscription::next` returns a gap. At least 1.
    std::size_t messages = 1'024;
    /// Maximum bytes of these messages. Over it, as for `messages`. The last message is always kept.
    std::size_t message_bytes = std::size_t(16) << 20U;
    std::string name = {};  ///< Name of the connections in the server's monitoring.
    /// For `tls`: PEM file with trusted CA certificates. Empty: the CA certificates of the system.
    std::string tls_authorities = {};
    /// For `tls`: PEM file with a client certificate. Empty: no client certificate.
    std::string tls_certificate = {};
    std::string tls_key = {};  ///< PEM file with the key of the certificate. Empty: `tls_certificate` contains the key.
};

}  // namespace apus::nats
