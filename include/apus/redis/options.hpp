// SPDX-License-Identifier: Apache-2.0
#pragma once

// Options of Redis clients and commands.

#include <apus/duration.hpp>

#include <cstddef>
#include <string>

namespace apus::redis {

/// Limits and timeouts of a client. Each core has its own connections, so limits apply per core.
struct client_options {
    /// From the call to the reply of a command, including the wait for a connection. Then 504.
    /// A timeout of the request cancels the task, and thereby the wait, earlier.
    duration command_timeout = seconds(5);
    /// For name resolution, connecting, the TLS handshake and authentication.
    /// Then 503, as for commands that had to wait this long without a connection.
    duration connect_timeout = seconds(3);
    /// Maximum commands that are in flight or wait for a connection, per core.
    /// Over it: 503 with Retry-After.
    std::size_t queue = 16'384;
    /// Maximum bytes of a reply. Over it: 500, and the connection is closed.
    std::size_t reply_size = std::size_t(64) << 20U;
    /// Maximum bytes of a command with its arguments. Over it: 413.
    std::size_t command_size = std::size_t(64) << 20U;
    /// Maximum connections of `client::reserve` at a time, per core. Over it: 503 with Retry-After.
    std::size_t reserved = 64;
    /// Maximum unread messages per subscription.
    /// Over it, the oldest are dropped, and the subscription has a gap. At least 1.
    std::size_t messages = 1'024;
    /// For `rediss`: PEM file with trusted CA certificates. Empty: those of the system.
    std::string tls_authorities = {};
    /// For `rediss`: PEM file with a client certificate and its key. Empty: none.
    std::string tls_certificate = {};
    std::string tls_key = {};  ///< PEM file with the key of `tls_certificate`. Empty: in the same file.
};

/// When `set` stores a value.
enum class set_when : unsigned char {
    always,
    absent,  ///< Only if the key does not exist (NX).
    present  ///< Only if the key exists (XX).
};

/// Options of `set`.
struct set_options {
    /// Lifetime of the key; 0: without an end. Rounded up to milliseconds. Negative: `set` throws
    /// `std::invalid_argument`.
    duration expires = {};
    set_when when = set_when::always;
    bool keep_expiry = false;  ///< Keep the lifetime of an existing key; ignored if `expires` is set.
};

}  // namespace apus::redis
