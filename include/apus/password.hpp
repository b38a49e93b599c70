// SPDX-License-Identifier: Apache-2.0
#pragma once

// Password hashing with argon2id (RFC 9106). For authentication by password see basic_auth.hpp.

#include <apus/detail/shared.hpp>
#include <apus/duration.hpp>
#include <apus/task.hpp>

#include <cstdint>
#include <string>

namespace apus {

/// Cost and concurrency of password hashing.
/// The default cost is the recommendation for argon2id of OWASP's cheat sheet on password storage (19 MiB, 2 passes, 1
/// lane).
struct password_hasher_options {
    /// Memory of a hash in KiB, at most 1,048,576.
    /// Minimum for 1, 2, 3, 4, and 5 or more passes: 47,104, 19,456, 12,288, 9,216, 7,168.
    std::uint32_t memory = 19'456;
    std::uint32_t passes = 2;     ///< From 1 to 16.
    unsigned running = 2;         ///< Concurrent hashes. At least 1. Limits memory: 2 hashes use 38 MiB.
    unsigned waiting = 64;        ///< Maximum calls in the queue. Over it: 503.
    duration wait = seconds(10);  ///< Maximum time in the queue. Over it: 503.
};

/// Result of a password comparison.
struct password_verdict {
    bool correct = false;
    bool outdated = false;  ///< The hash has another cost than the options: store a new hash of the password.
};

/// Hashes and verifies passwords on worker threads (`apus::blocking`).
/// Each call takes some tens of milliseconds. Copies share limits; any thread may use them. If a hasher is created
/// outside `make_app`, its limits apply to the process. If a hasher is created inside `make_app`, its limits apply to
/// the core.
///
/// Passwords have 1 to 1,024 bytes.
/// Normalize Unicode first (RFC 8265) if devices encode the same password differently.
class password_hasher {
public:
    password_hasher();
    /// Throws `std::invalid_argument` if an option is out of its range.
    explicit password_hasher(const password_hasher_options&);

    /// Returns the hash to store, with a random salt.
    /// It is a text of at most 127 characters, such as "$argon2id$v=19$m=19456,t=2,p=1$...". A password of invalid
    /// size: error 422.
    task<std::string> hash(std::string password) const;

    /// Verifies a password against a stored hash.
    /// For an unknown user, pass an empty `kept`: verification then takes the same time and fails, so that clients
    /// cannot find out which users exist. A hash that is malformed, or needs over 1 GiB or 16 passes: error 500.
    task<password_verdict> verify(std::string password, std::string kept) const;

private:
    struct parts;
    static void keep(parts*) noexcept;
    static void let_go(parts*) noexcept;
    friend class detail::shared<password_hasher, parts>;

    detail::shared<password_hasher, parts> parts_;
};

}  // namespace apus
