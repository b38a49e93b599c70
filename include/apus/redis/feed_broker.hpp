// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rooms of events for all processes of a service, on Redis: for `apus::feed` (feed.hpp).

#include <apus/detail/owned_parts.hpp>
#include <apus/feed.hpp>
#include <apus/redis.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace apus::redis {

/// Keys and channel of a feed_broker.
/// Services that share a Redis server need different values. Channels do not belong to a numbered database: two
/// services with different databases and the same channel would receive each other's events.
struct feed_broker_options {
    std::string prefix = "feed:";  ///< Prefix of the key of each room, a Redis stream.
    std::string channel = "feed";  ///< Channel that all processes of the service share.
};

/// Stores the events of each room in a stream of Redis, and sends them over a channel.
///
/// One script does both, so all processes get the events in one order. Redis keeps at least
/// `feed_options::room_events` events of a room, whatever their size, and removes the room `feed_options::keep` after
/// its last event. Redis must not evict these keys (`maxmemory-policy noeviction` or `volatile-ttl`).
class feed_broker final : public apus::feed_broker {
public:
    /// Create it before the feed, outside `make_app`.
    /// Throws `std::invalid_argument` for an empty channel.
    explicit feed_broker(client db, feed_broker_options how = {});
    ~feed_broker() override;

    // See the base class.
    std::string node_of(std::string_view room) const override;
    void configure(const feed_options&) override;
    task<std::string> publish(std::string room, feed_event event, std::string token) override;
    task<std::vector<result<std::vector<received>>>> read(std::vector<feed_position> from, std::size_t count) override;
    task<std::vector<result<std::string>>> last_ids(std::vector<std::string> rooms) override;
    task<std::optional<received>> receive() override;
    void end_receiving() noexcept override;

private:
    struct parts;
    apus::detail::owned_parts<parts> parts_;
};

}  // namespace apus::redis
