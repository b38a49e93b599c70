// SPDX-License-Identifier: Apache-2.0
#pragma once

// Destinations of the outbox (outbox.hpp) on Redis.

#include <apus/outbox.hpp>
#include <apus/redis.hpp>

#include <cstdint>
#include <string>

namespace apus::redis {

/// Adds each event to a Redis stream (XADD), for `outbox::deliver`.
/// The fields of an entry are `id`, `type`, `key` and `data`, the JSON of the event. If a reply of Redis is lost, the
/// entry is added again: consumers drop entries whose `id` they have processed.
class stream_target {
public:
    /// `max_length`: the approximate number of entries that the stream keeps (MAXLEN ~). 0: all.
    /// Throws `std::invalid_argument` for an empty name.
    explicit stream_target(client db, std::string stream, std::uint64_t max_length = 0);

    task<> operator()(const outbox_event&) const;  ///< Used by the outbox.

private:
    client db_;
    std::string stream_;
    std::uint64_t max_length_;
};

/// Publishes each event to a Redis channel (PUBLISH), for `outbox::deliver`.
/// The message is a JSON object with `id`, `type`, `key` and `data`. A subscriber that is not connected misses events,
/// since Redis does not store the messages of channels.
class channel_target {
public:
    /// Throws `std::invalid_argument` for an empty name.
    channel_target(client db, std::string channel);

    task<> operator()(const outbox_event&) const;  ///< Used by the outbox.

private:
    client db_;
    std::string channel_;
};

}  // namespace apus::redis
