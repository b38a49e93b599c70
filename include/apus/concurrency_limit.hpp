// SPDX-License-Identifier: Apache-2.0
#pragma once

// Limits concurrent requests. To limit the rate of requests use rate_limit.hpp.

#include <apus/duration.hpp>
#include <apus/middleware.hpp>

namespace apus {

/// Limits of requests and waiting time.
struct concurrency_limit_options {
    unsigned running = 100;             ///< Concurrent requests. At least 1.
    unsigned waiting = 100;             ///< Requests in the queue. 0: no queue.
    duration wait = seconds(5);         ///< Maximum time in the queue. At least 1 ms.
    duration retry_after = seconds(1);  ///< Retry-After of rejected requests. Rounded up to seconds.
};

/// Middleware that limits the number of concurrent requests on one core.
/// Further requests wait in a first-come, first-served queue. If the queue is full, or the wait times out, the response
/// is 503 with Retry-After and the handler does not run. When a client disconnects, its request leaves the queue.
///
/// A request counts until its response is complete; with a streamed body, until the body's end.
///
/// Limits are per core, like everything made in `make_app`: eight cores with `running = 100` run up to 800 requests.
/// Each app that uses the middleware, or a copy of it, has its own limit.
class concurrency_limit {
public:
    concurrency_limit();
    /// Throws `std::invalid_argument` for invalid options.
    explicit concurrency_limit(const concurrency_limit_options&);
    concurrency_limit(const concurrency_limit&);
    concurrency_limit(concurrency_limit&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    concurrency_limit& operator=(const concurrency_limit&) = delete;
    ~concurrency_limit();

    // Middleware interface, used by the app.
    using sets = void;
    pending_response operator()(request&, response& out, next_handler) const;

private:
    struct parts;
    parts* parts_;
};

}  // namespace apus
