// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rooms that span the processes of a service, on Redis: for `apus::hub` (hub.hpp).

#include <apus/detail/owned_parts.hpp>
#include <apus/hub.hpp>
#include <apus/redis.hpp>

#include <string>
#include <string_view>

namespace apus::redis {

/// Limits of a relay.
struct hub_relay_options {
    std::string channel = "rooms";  ///< Channel of Redis, which the processes of a service share.
    /// Maximum messages that wait to be sent to Redis. Further ones reach this process only.
    std::size_t queue = 4'096;
    std::size_t queue_bytes = std::size_t(16) << 20U;  ///< The same, for their bytes.
};

/// Relays messages of a hub to the other processes of a service, and theirs to this hub.
/// A message reaches each member in the other processes at most once: it is sent once, also after errors. Messages of
/// one sender stay in order. Members of the own process get it without Redis.
///
/// While Redis is away, messages reach the own process only, and the log has one warning. The relay tries again at
/// least once per second while there are messages. Messages of that time are not repeated, since Redis does not keep
/// them.
class hub_relay final : public apus::hub_relay {
public:
    /// Create it before the hub, outside `make_app`.
    /// Throws `std::invalid_argument` for an empty channel.
    explicit hub_relay(client db, hub_relay_options how = {});
    ~hub_relay() override;

    /// Runs until it is cancelled: in one task per process, so with `router::background`.
    /// `to` is the hub that has this relay. Throws `std::logic_error` if it already runs.
    task<> run(hub& to);

    /// Called by the hub. Any thread.
    void relay(std::string_view room, const websocket_message&) override;

private:
    struct parts;
    apus::detail::owned_parts<parts> parts_;
};

}  // namespace apus::redis
