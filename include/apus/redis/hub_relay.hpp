// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rooms that span the processes of a service, on Redis: for `apus::hub` (hub.hpp).

#include <apus/detail/owned_parts.hpp>
#include <apus/hub.hpp>
#include <apus/redis.hpp>

#include <string>
#include <string_view>

namespace apus::redis {

/// Channel and limits of a relay.
/// Services that share a Redis server need different channels, even if they use different numbered databases.
struct hub_relay_options {
    std::string channel = "rooms";  ///< Redis channel that all processes of the service share.
    /// Maximum messages that wait to be sent to Redis.
    /// Over it, messages reach only the members in this process.
    std::size_t queue = 4'096;
    std::size_t queue_bytes = std::size_t(16) << 20U;  ///< Maximum bytes of these messages. Over it: as for `queue`.
};

/// Relays messages between the hub of this process and the hubs of the service's other processes.
/// A member in another process receives a message at most once: the relay does not repeat a message after an error.
/// Messages of one sender stay in order. Members in the sender's process receive messages without Redis.
///
/// While Redis is unreachable, messages reach only the members in the sender's process, and one warning is logged.
/// While messages are sent, the relay tries at least once per second to reach Redis. Messages sent during the outage
/// are not relayed later, since Redis does not store them.
class hub_relay final : public apus::hub_relay {
public:
    /// Create it before the hub, outside `make_app`.
    /// Throws `std::invalid_argument` for an empty channel.
    explicit hub_relay(client db, hub_relay_options how = {});
    ~hub_relay() override;

    /// Relays messages until the task is cancelled. Run one task per process: use `router::background`.
    /// `to` is the hub that was created with this relay. Throws `std::logic_error` if `run` is already running.
    task<> run(hub& to);

    /// Called by the hub. Any thread.
    void relay(std::string_view room, const websocket_message&) override;

private:
    struct parts;
    apus::detail::owned_parts<parts> parts_;
};

}  // namespace apus::redis
