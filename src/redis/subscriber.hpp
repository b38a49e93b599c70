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

/// Receives the messages of one core, for all channels and patterns on one connection.
/// Connects when there is a subscription, and again when the connection is lost. An idle connection is checked at
/// intervals of `connect_timeout`, and closed if there are no subscriptions.
class subscriber final : outbound::transport::watcher {
public:
    explicit subscriber(pool&);
    subscriber(const subscriber&) = delete;
    subscriber& operator=(const subscriber&) = delete;
    ~subscriber();  ///< Ends the streams of its listeners.

    /// Payloads are those of the messages; of patterns, as `with_channel` makes them.
    std::unique_ptr<sql::listener> listen(std::string_view name, bool is_pattern);

    /// Joins a channel and a payload to one text, and separates them.
    static std::string with_channel(std::string_view channel, std::string_view payload);
    static std::pair<std::string_view, std::string_view> channel_and_payload(std::string_view joined);

private:
    struct call : runtime::timer, runtime::deferred {
        subscriber* of;
    };

    // Keys: the kind, 'c' or 'p', and the name of the channel or the pattern.
    using key = std::string;

    void on_event(outbound::transport&) noexcept override { receive(); }
    void work();
    void reach();
    task<> connect_one();
    void use(transport_ptr);
    void send_changes();
    void send_change(const key&, bool subscribes);
    void receive();
    bool on_reply(std::string_view reply, codec::resp::kind);
    bool on_push(std::string_view reply, std::size_t& passed);
    void on_time();
    void lost(const error& why);
    std::uint64_t interval() const noexcept;

    pool& pool_;
    // A hub for each key, so that errors are those of the key.
    std::map<key, std::shared_ptr<sql::notification_hub>, std::less<>> hubs_;
    transport_ptr io_;  // null: not connected
    codec::resp::reply_scanner scanner_;
    std::set<key, std::less<>> subscribed_;  // that the server sends, or was asked to send
    std::set<key> changed_;                  // whose first listener came, or whose last one left
    std::deque<key> sent_;                   // that the server has not confirmed; empty: PING
    call work_, deliver_;
    std::uint64_t not_before_ = 0;                    // earliest time of the next attempt to connect
    std::optional<std::uint64_t> unreachable_since_;  // set while there is no connection, although there are listeners
    unsigned failures_ = 0;
    bool connecting_ = false;
    bool heard_ = false;  // something has arrived since the last look
};

}  // namespace apus::redis
