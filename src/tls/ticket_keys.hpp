// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tls/openssl.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace apus::tls {

/// Keys for session tickets (RFC 5077, 4), rotated every twelve hours.
/// A replaced key still decrypts for twelve hours. The keys are only in memory, so a stolen disk does not help to
/// decrypt recorded sessions. Thread-safe.
class ticket_keys {
public:
    /// Time in seconds for which a key encrypts; afterwards it decrypts for the same time.
    static constexpr std::int64_t lifetime = 12 * 3600;
    static constexpr std::size_t name_size = 16;

    struct key {
        unsigned char name[name_size];  ///< Identifies the key; part of the ticket.
        unsigned char cipher[32];
        unsigned char mac[32];
    };
    struct found {
        key with;
        bool newest;
    };

    explicit ticket_keys(std::int64_t made = seconds_now());
    ~ticket_keys();
    ticket_keys(const ticket_keys&) = delete;
    ticket_keys& operator=(const ticket_keys&) = delete;

    static std::int64_t seconds_now() noexcept;  ///< Time of a monotonic clock that also runs during suspend.

    key sealing(std::int64_t now);
    /// Returns an empty optional if neither kept key has this name.
    std::optional<found> opening(const unsigned char* name, std::int64_t now);

    /// Makes a context encrypt its session tickets with these keys, which must outlive the context.
    void serve(SSL_CTX&);

private:
    void rotate(std::int64_t now);
    static key fresh();
    static int use(SSL*, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX*, EVP_MAC_CTX*, int seals);

    std::mutex mutex_;  // locked once per handshake, so contention is rare
    key newest_, before_;
    std::int64_t made_;
    bool has_before_ = false;
    cipher cipher_;
};

}  // namespace apus::tls
