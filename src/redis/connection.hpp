// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/resp/reply.hpp"
#include "redis/call.hpp"
#include "redis/connector.hpp"

#include <cstdint>
#include <deque>
#include <string_view>

namespace apus::redis {

/// An established connection, on which many calls can be in flight.
/// Redis replies in the order of the commands. All commands of an event loop iteration are sent together.
class connection final : outbound::transport::watcher {
public:
    connection(pool&, transport_ptr);
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;
    ~connection();  ///< Fails the calls in flight.

    void start() { receive(); }  ///< Reads bytes that have already arrived. Call this function once.
    /// Sends the commands of a call.
    /// Requires `accepts()`, or only `!dead()` if the call is bound to this connection.
    void submit(call&);
    /// Ignores the remaining replies to a call whose task was destroyed or whose deadline has passed.
    void abandon(const call&);
    /// Sends a command and ignores its reply.
    void post(std::string_view wire);

    bool dead() const noexcept { return !io_; }
    bool accepts() const noexcept { return io_ && io_->unsent() < most_unsent; }
    bool idle() const noexcept { return io_ && items_.empty(); }
    /// Time at which Redis last sent bytes, in milliseconds of the loop's clock.
    std::uint64_t heard() const noexcept { return heard_; }
    /// Returns whether replies are outstanding and no bytes were received for this time.
    bool silent_for(std::uint64_t milliseconds) const noexcept;

    void lost(std::string_view why);
    void close() noexcept;  ///< Closes immediately, without notifying the pool. Requires that no call is in flight.

private:
    static constexpr std::size_t most_unsent = std::size_t(1) << 20U;

    struct item {
        call* of;          // null: the replies are ignored
        std::size_t left;  // number of replies that have not arrived
    };

    void on_event(outbound::transport&) noexcept override;
    void has_room(outbound::transport&) noexcept override;
    void receive();
    bool on_reply(std::string_view reply);
    void on_refusal(const codec::refusal&);

    pool& pool_;
    transport_ptr io_;  // null after the end of the connection
    codec::resp::reply_scanner scanner_;
    std::deque<item> items_;
    std::uint64_t first_ticket_ = 0;  // of items_.front()
    std::uint64_t heard_;
    std::uint64_t waits_since_ = 0;  // last time that a command was sent while no reply was outstanding
};

}  // namespace apus::redis
