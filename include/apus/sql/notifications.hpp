// SPDX-License-Identifier: Apache-2.0
#pragma once

// Notifications: LISTEN and NOTIFY of PostgreSQL. With SQLite, notifications stay within the process.

#include <apus/detail/owned_parts.hpp>
#include <apus/task.hpp>

#include <optional>
#include <string>

namespace apus::sql {

namespace detail {
struct notification_parts;
}

/// A notification of a channel, or a gap between notifications.
struct notification {
    std::string payload;  ///< Empty for a gap.
    /// True: earlier notifications may be missing, so read the current state from tables.
    /// Each stream begins with a gap. Further gaps follow a lost connection, and more than
    /// `database_options::notifications` unread notifications.
    bool gap = false;
};

/// Notifications of a channel, in the order of their commits. Returned by `database::listen`.
/// Belongs to the core of its first `next`. The destructor stops listening.
class [[nodiscard("a stream that is not read does not listen: call next")]] notification_stream {
public:
    explicit notification_stream(apus::detail::owned_parts<detail::notification_parts>);  ///< Used by the library.

    /// Waits for a notification or a gap, without a time limit.
    /// Awaitable. At most one call at a time. The first call starts to listen and returns a gap; all notifications that
    /// are committed after the gap are delivered. The first call fails with 503 if the server is unreachable for
    /// `database_options::connect_timeout`, and with 400 for an invalid channel. Later, a lost connection is restored
    /// and reported as a gap. Returns nullopt when the core stops. Destroying the task loses no notification.
    task<std::optional<notification>> next();

private:
    apus::detail::owned_parts<detail::notification_parts> parts_;
};

}  // namespace apus::sql
