// SPDX-License-Identifier: Apache-2.0
#pragma once

// Options of Redis clients and commands.

#include <apus/duration.hpp>

#include <cstddef>
#include <string>

namespace apus::redis {

/// Limits, timeouts and TLS files of a client.
/// Each core has its own connections, so limits apply per core.
struct client_options {
    /// Maximum time from the call of a command to its reply, including the wait for a connection.
    /// Over it: 504. If the request times out before, its task and thereby the wait are cancelled.
    duration command_timeout = seconds(5);
    /// Maximum time for name resolution, connecting, the TLS handshake and authentication.
    /// Over it: 503, also for a command that has waited this long for a connection.
    duration connect_timeout = seconds(3);
    /// Maximum number of commands that are in flight or wait for a connection, per core.
    /// A batch counts as one command. Over it: 503 with Retry-After.
    std::size_t queue = 16'384;
    /// Maximum bytes of a reply. Over it: 500, and the connection is closed.
    std::size_t reply_size = std::size_t(64) << 20U;
    /// Maximum bytes of a command or batch with its arguments. Over it: 413.
    std::size_t command_size = std::size_t(64) << 20U;
    /// Maximum number of reserved connections (`client::reserve`), per core.
    /// Over it: 503 with Retry-After.
    std::size_t reserved = 64;
    /// Maximum unread messages per subscription.
    /// Over it, the oldest messages are dropped, and `subscription::next` returns a gap. At least 1.
    std::size_t messages = 1'024;
    /// For `rediss`: PEM file with trusted CA certificates. Empty: the CA certificates of the system.
    std::string tls_authorities = {};
    /// For `rediss`: PEM file with a client certificate. Empty: no client certificate.
    std::string tls_certificate = {};
    std::string tls_key = {};  ///< PEM file with the key of the certificate. Empty: `tls_certificate` contains the key.
};

/// When `set` stores a value.
enum class set_when : unsigned char {
    always,
    absent,  ///< Only if the key does not exist (NX).
    present  ///< Only if the key exists (XX).
};

/// Options of `set`.
struct set_options {
    /// Lifetime of the key, rounded up to milliseconds. 0: the key does not expire.
    /// Negative: `set` throws `std::invalid_argument`.
    duration expires = {};
    set_when when = set_when::always;
    bool keep_expiry = false;  ///< Keeps the lifetime of an existing key (KEEPTTL). Ignored if `expires` is set.
};

}  // namespace apus::redis
