// SPDX-License-Identifier: Apache-2.0
#pragma once

// Passwords, kept as what argon2id makes of them (RFC 9106). To ask for one in each request:
// basic_auth.hpp.

#include <apus/detail/shared.hpp>
#include <apus/duration.hpp>
#include <apus/task.hpp>

#include <cstdint>
#include <string>

namespace apus {

/// What hashing a password costs, and how many are hashed at a time. The cost by default is what
/// OWASP's cheat sheet on password storage recommends for argon2id (19 MiB, 2 passes, 1 lane).
struct password_options {
    /// In KiB. At least 47,104, 19,456, 12,288, 9,216, 7,168 for 1 to 5 passes; at most 1,048,576.
    std::uint32_t memory = 19'456;
    std::uint32_t passes = 2;         ///< From 1 to 16.
    unsigned at_once = 2;             ///< Passwords that are hashed at a time. At least 1. Bounds memory: 2 are 38 MiB.
    unsigned waiting = 64;            ///< Calls that wait for their turn, at most. Over it: 503.
    duration patience = seconds(10);  ///< How long one waits for its turn. Over it: 503.
};

/// What became of comparing a password.
struct password_verdict {
    bool correct = false;
    bool outdated = false;  ///< Correct, but hashed at another cost than is set now: hash it again and keep that.
};

/// Hashes and compares passwords on other threads (`apus::blocking`), some tens of milliseconds for
/// each. A copy is the same hasher, and any thread may use it: made outside `make_app` its bounds
/// are those of the process, made inside those of each core.
///
/// Passwords are bytes: bring them to one form of Unicode first if people type them in several
/// (RFC 8265). One has 1 to 1,024 bytes.
class password_hasher {
public:
    password_hasher();
    /// Throws `std::invalid_argument` if an option is out of its range.
    explicit password_hasher(const password_options&);

    /// What to keep of a password: a text such as "$argon2id$v=19$m=19456,t=2,p=1$...", with a random
    /// salt, of at most 127 characters. 422 if the password has another size than is allowed.
    task<std::string> hash(std::string password) const;

    /// Compares a password with what was kept of it. An empty `kept` stands for a user who does not
    /// exist or has no password: that takes as long, and is not correct, so that nobody learns who
    /// exists. A text that is none of argon2's, or asks for over 1 GiB or 16 passes, is a 500.
    task<password_verdict> verify(std::string password, std::string kept) const;

private:
    struct parts;
    static void keep(parts*) noexcept;
    static void let_go(parts*) noexcept;
    friend class detail::shared<password_hasher, parts>;

    detail::shared<password_hasher, parts> parts_;
};

}  // namespace apus
