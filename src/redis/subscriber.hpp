// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/resp/reply.hpp"
#include "redis/connector.hpp"
#include "runtime/loop.hpp"
#include "sql/notification_hub.hpp"

#include <apus/error.hpp>
#include <apus/task.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace apus::redis {

class pool;

/// Receives the messages of all channels and patterns of one core, on one connection.
/// Connects for the first subscription, and again after the connection was lost. At intervals of `connect_timeout`,
/// checks the connection with PING, and closes it if there are no subscriptions.
class subscriber final : outbound::transport::watcher {
public:
    explicit subscriber(pool&);
    subscriber(const subscriber&) = delete;
    subscriber& operator=(const subscriber&) = delete;
    ~subscriber();  ///< Ends the streams of all listeners.

    /// Subscribes to a channel or a pattern.
    /// For a pattern, the payload of a notification also contains the channel, joined by `with_channel`.
    std::unique_ptr<sql::listener> listen(std::string_view name, bool is_pattern);
    /// Replaces the connection: the listeners get a gap.
    void reconnect(std::string_view why);

    /// Server of the connection; null if there is none.
    const host_port* server() const noexcept { return io_ ? &server_ : nullptr; }

    /// Joins a channel and a payload to one text.
    static std::string with_channel(std::string_view channel, std::string_view payload);
    /// Separates a text that `with_channel` has returned.
    static std::pair<std::string_view, std::string_view> channel_and_payload(std::string_view joined);

private:
    struct call : runtime::timer, runtime::deferred {
        subscriber* of;
    };

    // 'c' and the name of a channel, or 'p' and a pattern.
    using key = std::string;

    void on_event(outbound::transport&) noexcept override { receive(); }
    void work();
    void reach();
    task<> connect_one();
    void use(connected);
    void send_changes();
    void send_change(const key&, bool subscribes);
    void receive();
    bool on_reply(std::string_view reply, codec::resp::kind);
    bool on_push(std::string_view reply, std::size_t& passed);
    void on_time();
    void lost(const error& why);
    std::uint64_t interval() const noexcept;

    pool& pool_;
    // One hub per key, so that an error for a key reaches only the listeners of this key.
    std::map<key, std::shared_ptr<sql::notification_hub>, std::less<>> hubs_;
    transport_ptr io_;  // null: not connected
    host_port server_;  // of `io_`
    codec::resp::reply_scanner scanner_;
    std::set<key, std::less<>> subscribed_;  // keys for which a subscription was sent
    std::set<key> changed_;                  // keys whose first listener was added, or whose last one was removed
    std::deque<key> sent_;                   // keys of unconfirmed commands; an empty key: PING
    call work_, deliver_;
    std::uint64_t not_before_ = 0;                    // earliest time of the next attempt to connect
    std::optional<std::uint64_t> unreachable_since_;  // set while there is no connection, although there are listeners
    unsigned failures_ = 0;
    bool connecting_ = false;
    bool heard_ = false;  // whether bytes have arrived since the last check
};

}  // namespace apus::redis
