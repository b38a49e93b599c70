// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/resp/reply.hpp"
#include "redis/call.hpp"
#include "redis/connector.hpp"

#include <cstdint>
#include <deque>
#include <string_view>

namespace apus::redis {

/// An established connection with many calls in flight. Replies come in the order of the commands.
/// The event loop sends all commands of a turn together.
class connection final : outbound::transport::watcher {
public:
    connection(pool&, transport_ptr);
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;
    ~connection();  ///< Fails the calls in flight.

    void start() { receive(); }  ///< Reads bytes that have already arrived. Call it once.
    /// Requires `accepts()`, or that the call is bound to this connection, which is not dead.
    void submit(call&);
    void abandon(const call&);  ///< The call's task was destroyed, or its deadline has passed.
    /// Sends a command, and ignores its reply.
    void post(std::string_view wire);

    bool dead() const noexcept { return !io_; }
    bool accepts() const noexcept { return io_ && io_->unsent() < most_unsent; }
    bool idle() const noexcept { return io_ && items_.empty(); }
    /// When the server has sent something last, in milliseconds.
    std::uint64_t heard() const noexcept { return heard_; }
    /// Whether replies are outstanding, and nothing was received for this long.
    bool silent_for(std::uint64_t milliseconds) const noexcept;

    void lost(std::string_view why);
    void close() noexcept;  ///< Closes at once, without notifying the pool. Calls in flight must be none.

private:
    static constexpr std::size_t most_unsent = std::size_t(1) << 20U;

    /// Expected replies of a call, which is null if nothing waits for them.
    struct item {
        call* of;
        std::size_t left;
    };

    void on_event(outbound::transport&) noexcept override;
    void has_room(outbound::transport&) noexcept override;
    void receive();
    bool on_reply(std::string_view reply);
    void on_refusal(const codec::refusal&);

    pool& pool_;
    transport_ptr io_;  // null: dead
    codec::resp::reply_scanner scanner_;
    std::deque<item> items_;
    std::uint64_t first_ticket_ = 0;  // of items_.front()
    std::uint64_t heard_;
    std::uint64_t waits_since_ = 0;  // when the last command was sent while no reply was outstanding
};

}  // namespace apus::redis
