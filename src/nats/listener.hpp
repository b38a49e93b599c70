// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/timed_wait.hpp"

#include <apus/error.hpp>
#include <apus/nats.hpp>
#include <apus/task.hpp>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace apus::nats {

class session;

/// A subscription on one core: its unread messages, and its state on the server.
/// Registers itself with the session, which may be destroyed before.
class listener {
public:
    listener(session& of, std::string subject, std::string queue);
    listener(const listener&) = delete;
    listener& operator=(const listener&) = delete;
    ~listener();

    /// See `subscription::next`.
    task<std::optional<message>> next();

    const std::string subject, queue;
    const std::uint64_t number;  ///< Of the subscription, on all connections of the session.

    // Called by the session.
    void push(message);                              ///< Adds a message. Drops the oldest ones over the limits.
    void sent(std::uint64_t confirmed_by) noexcept;  ///< SUB was sent; PONG with this number confirms it.
    void confirm(std::uint64_t pong);                ///< If the PONG confirms the subscription, adds a gap.
    void interrupt() noexcept;                       ///< The connection was lost.
    void fail_starting(const error&);                ///< Fails `next` if it waits for the first gap.
    void refuse(const error&);  ///< The server has refused SUB: no PONG on this connection confirms it.
    void end() noexcept;        ///< The session is being destroyed.

    bool is_sent() const noexcept { return confirmed_by_ != 0; }
    bool is_ready() const noexcept { return ready_; }

private:
    class wait;

    void wake() noexcept;
    static std::size_t size_of(const message&) noexcept;

    session* session_;  // null after its end
    std::deque<message> unread_;
    std::size_t bytes_ = 0;  // of `unread_`
    std::optional<error> failed_;
    wait* waiting_ = nullptr;
    std::uint64_t confirmed_by_ = 0;  // 0: not sent on this connection
    bool ready_ = false;
    bool refused_ = false;  // on this connection
    bool begun_ = false;    // the first gap was returned
    bool dropped_ = false;  // messages before the first of `unread_` were dropped
};

}  // namespace apus::nats
