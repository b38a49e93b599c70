// SPDX-License-Identifier: Apache-2.0
#pragma once

// Options of Redis clients and commands.

#include <apus/duration.hpp>

#include <cstddef>
#include <string>

namespace apus::redis {

/// Account and TLS files for the sentinels of a URL `redis+sentinel://`.
/// The account and the TLS files of the Redis servers are not used for sentinels. The constructor of a client throws
/// `std::invalid_argument` for other URLs, and for TLS files without `tls`.
struct sentinel_options {
    std::string user = {};      ///< Empty: the user "default".
    std::string password = {};  ///< Empty: no authentication.
    bool tls = false;           ///< Whether to connect to sentinels by TLS. Their certificates must match their hosts.
    std::string tls_authorities = {};  ///< PEM file with trusted CA certificates. Empty: those of the system.
    std::string tls_certificate = {};  ///< PEM file with a client certificate. Empty: no client certificate.
    std::string tls_key = {};  ///< PEM file with the key of the certificate. Empty: `tls_certificate` contains the key.
};

/// Cache of replies in the memory of each core, which Redis invalidates (client-side caching).
struct cache_options {
    /// Maximum memory of the cached replies with their keys, per core.
    /// 0: no cache. The least recently used replies are removed first.
    std::size_t bytes = 0;
    /// Maximum time since the last bytes from Redis during which cached replies are used.
    /// Afterwards, the next command is sent to Redis. So a network that is cut silently cannot hide changes for longer.
    duration max_silence = seconds(1);
    /// Maximum time for which a reply is used.
    /// Redis reports the expiry of a key only when it removes the key, which may be later.
    duration max_age = seconds(60);
};

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
    /// Caches replies to commands that read one key, such as GET and HGETALL. Ignored for clusters.
    /// After a change by another process or core, the old value may still be returned for a short time: see `client`.
    cache_options cache = {};
    sentinel_options sentinel = {};  ///< For `redis+sentinel`: account and TLS files for the sentinels.
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
