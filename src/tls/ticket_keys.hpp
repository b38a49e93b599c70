// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tls/openssl.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace apus::tls {

/// The keys of session tickets (RFC 5077, 4): a new one every twelve hours; what the one before has
/// sealed is still opened for that long. Kept in memory only, so that a stolen disk opens no session
/// of the past. Any thread may use it.
class ticket_keys {
public:
    static constexpr std::int64_t lifetime = 12 * 3600;  ///< Seconds that a key seals, and again that it opens.
    static constexpr std::size_t name_size = 16;

    struct key {
        unsigned char name[name_size];  ///< Stands in the ticket.
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

    static std::int64_t seconds_now() noexcept;  ///< Of a clock that is never set and does not stop.

    key sealing(std::int64_t now);
    /// None: the name is of no key that is kept.
    std::optional<found> opening(const unsigned char* name, std::int64_t now);

    /// Has sessions of a context sealed by these keys, which must outlive it.
    void serve(SSL_CTX&);

private:
    void rotate(std::int64_t now);
    static key fresh();
    static int use(SSL*, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX*, EVP_MAC_CTX*, int seals);

    std::mutex mutex_;  // for each handshake once: too seldom to matter
    key newest_, before_;
    std::int64_t made_;
    bool has_before_ = false;
    cipher cipher_;
};

}  // namespace apus::tls
