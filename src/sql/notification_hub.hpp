// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sql/engine.hpp"

#include <apus/channel.hpp>
#include <apus/error.hpp>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::sql {

/// Passes notifications to the listeners of their channels.
/// Any thread may use it. A listener belongs to the core that created it.
class notification_hub : public std::enable_shared_from_this<notification_hub> {
public:
    using channel_change = std::function<void(const std::string& channel)>;

    /// `capacity`: maximum unread notifications per listener.
    /// `changed`: called when a channel gets its first listener, and when it loses its last one. If `changed` is null,
    /// channels are ready immediately.
    explicit notification_hub(std::size_t capacity, channel_change changed = nullptr)
        : capacity_(capacity), changed_(std::move(changed)) {}

    std::unique_ptr<listener> listen(const std::string& channel);
    /// Passes on a notification. Ignored if the channel has no listeners or is not ready.
    void send(std::string_view channel, std::string_view payload);

    /// Marks a channel as ready: from now on, its notifications arrive.
    /// If the channel was not ready, its listeners get a gap.
    void ready(std::string_view channel);
    void interrupt();                  ///< Marks all channels as not ready.
    void fail_starting(const error&);  ///< Fails listeners that still wait for their first gap.
    void close();                      ///< Ends all streams. `changed` is no longer called.

    bool has(std::string_view channel) const;
    bool empty() const;
    std::vector<std::string> channels() const;

private:
    friend class hub_listener;
    struct event {
        notification what;
        std::optional<error> failed = {};
    };
    using shared_event = std::shared_ptr<const event>;
    struct queue {
        apus::channel<shared_event> events;
        std::atomic<bool> dropped = false;

        explicit queue(std::size_t capacity) : events(capacity) {}
        void put(const shared_event&);
    };
    struct channel {
        std::vector<std::shared_ptr<queue>> queues = {};
        bool ready = false;

        void put(event) const;
    };
    void leave(const std::string& name, const std::shared_ptr<queue>&);

    const std::size_t capacity_;
    channel_change changed_;
    mutable std::mutex mutex_;
    std::map<std::string, channel, std::less<>> channels_;
    bool closed_ = false;
};

/// Checks whether a notification can be sent; the error is 400 or 413.
result<void> check_notification(std::string_view channel, std::string_view payload);

}  // namespace apus::sql
