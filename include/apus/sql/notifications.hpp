// SPDX-License-Identifier: Apache-2.0
#pragma once

// Notifications: LISTEN and NOTIFY of PostgreSQL. With SQLite, within the process.

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
    /// Earlier notifications may be missing: read the current state from tables.
    /// The first value of each stream, and the first after a lost connection or after more than
    /// `database_options::notifications` unread ones.
    bool gap = false;
};

/// Notifications of a channel, in the order of their commits. Returned by `database::listen`.
/// Belongs to the core of its first `next`. The destructor stops listening.
class notification_stream {
public:
    explicit notification_stream(apus::detail::owned_parts<detail::notification_parts>);  ///< Used by the library.

    /// Waits for a notification or a gap, without a time limit: `co_await`. At most one call at a time.
    /// The first call starts to listen and returns a gap; notifications committed after it arrive. Until then: error
    /// 503 if the server was unreachable for `database_options::connect_timeout`, and 400 for an invalid channel.
    /// Afterwards a lost connection is restored, and reported as a gap. Returns nullopt when the core stops. If the
    /// task is destroyed, no notification is lost.
    task<std::optional<notification>> next();

private:
    apus::detail::owned_parts<detail::notification_parts> parts_;
};

}  // namespace apus::sql
