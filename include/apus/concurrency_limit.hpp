// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bounds how many requests are worked on at once. How often a client may ask is bounded by
// rate_limit.hpp.

#include <apus/detail/chain.hpp>
#include <apus/detail/parameters.hpp>
#include <apus/duration.hpp>

namespace apus {

/// Middleware that bounds how many requests one core works on at once behind it. A request over
/// the bound waits in line, the first come first; where the line is full, or when its wait is over,
/// it gets 503 with Retry-After and its handler does not run. A client that leaves also leaves the line.
///
/// A request is worked on until its response is there, and a streamed one until its body has ended.
///
/// Of one core, as all that is made in `make_app`: eight cores with `running = 100` work on up to
/// 800 requests. Each app that uses it, or a copy of it, counts for itself.
class concurrency_limit {
public:
    /// How many, and how long.
    struct options {
        unsigned running = 100;             ///< Requests at once. At least 1.
        unsigned waiting = 100;             ///< Requests in line. 0: none waits.
        duration wait = seconds(5);         ///< For the longest in line. At least 1 ms.
        duration retry_after = seconds(1);  ///< What a refused client is told to wait. Rounded up to seconds.
    };

    concurrency_limit();
    /// Throws `std::invalid_argument` for options that make no sense.
    explicit concurrency_limit(const options&);
    concurrency_limit(const concurrency_limit&);
    concurrency_limit(concurrency_limit&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    concurrency_limit& operator=(const concurrency_limit&) = delete;
    ~concurrency_limit();

    // For the app.
    static constexpr detail::body_use body = detail::body_use::ignored;
    static constexpr const void* sets = detail::sets_nothing;
    detail::pending run(const detail::step* rest, request&, response& out) const;

private:
    struct parts;
    parts* parts_;
};

}  // namespace apus
