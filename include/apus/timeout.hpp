// SPDX-License-Identifier: Apache-2.0
#pragma once

// Timeouts for some routes. For a timeout for all routes, see limits.hpp.

#include <apus/duration.hpp>
#include <apus/middleware.hpp>

namespace apus {

/// Middleware that limits the time for a response.
/// On timeout the inner task is cancelled at its current `co_await` (sleep, blocking work, body), and the client gets
/// 504, or 503 if configured. Code that does not wait cannot be interrupted; its response is sent.
///
/// The time starts when the request reaches the middleware. If the handler takes the whole body, the request reaches
/// the middleware after the body has arrived. The time ends with the response head: a streamed body may take longer.
class timeout {
public:
    /// `after`: at least 1 ms; `status`: 504 or 503. Throws `std::invalid_argument` for other values.
    explicit timeout(duration after, int status = 504);

    // Middleware interface, used by the app.
    using sets = void;
    pending_response operator()(request&, response& out, next_handler) const;

private:
    duration after_;
    int status_;
};

}  // namespace apus
