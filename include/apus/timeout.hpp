// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bounds the time of a part of the routes. The server bounds that of all: limits.hpp.

#include <apus/detail/chain.hpp>
#include <apus/detail/parameters.hpp>
#include <apus/duration.hpp>

namespace apus {

/// Middleware that gives what is behind it so much time for a response. Then its task is cancelled
/// where it waits (for sleep, for blocking work, for a body), and the client gets 504, or 503 where
/// that is asked for. Work without a wait cannot be interrupted; its answer is sent.
///
/// The time begins when the request comes to the middleware: after the body, where a handler takes
/// it whole. It ends with the response: a streamed body has begun in time, and may last.
class timeout {
public:
    /// At least 1 ms; `status` is 504 or 503. Throws `std::invalid_argument` for others.
    explicit timeout(duration after, int status = 504);

    // For the app.
    static constexpr detail::body_use body = detail::body_use::ignored;
    static constexpr const void* sets = detail::sets_nothing;
    detail::pending run(const detail::step* rest, request&, response& out) const;

private:
    duration after_;
    int status_;
};

}  // namespace apus
