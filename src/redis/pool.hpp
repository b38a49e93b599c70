// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/call.hpp"
#include "redis/connection.hpp"
#include "redis/lease.hpp"
#include "redis/shared_state.hpp"
#include "redis/subscriber.hpp"
#include "runtime/loop.hpp"
#include "runtime/per_core.hpp"
#include "runtime/reconnect_delay.hpp"

#include <apus/task_scope.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace apus::redis {

/// Connections of one core.
/// One connection is for the commands of all requests and one for subscriptions; the others are reserved by callers.
/// The connection for commands is established on first use, and again after it was lost. Meanwhile, calls wait in order
/// of arrival.
class pool : public runtime::per_core<pool, const shared_state> {
public:
    explicit pool(std::shared_ptr<const shared_state>);
    ~pool();

    void submit(call&);
    void leave(call&) noexcept;  ///< Removes a call that is finished or abandoned.
    /// Called when a call's deadline has passed, or when the call has waited too long for a connection.
    void late(call&) noexcept;
    /// Repeats a call whose connection was lost before the last reply, or fails the call.
    void interrupted(call&, const std::string& why);
    void on_lost(const connection&) noexcept;
    void dispatch();  ///< Passes waiting calls to the connection.

    /// Reserves a connection: see `lease::on`. Waits only while a new connection is established.
    task<std::unique_ptr<lease>> reserve(std::uint64_t due);
    void give_back(lease&) noexcept;

    subscriber& subscriptions();
    /// Starts a task, which the destructor of the pool cancels.
    [[nodiscard]] bool spawn(task<> t) { return tasks_.try_spawn(std::move(t)); }
    /// Like `spawn`, for commands that release locks whose attempts ended without a reply.
    /// Has its own limit, so that these commands do not use up the limit for the tasks that connect.
    [[nodiscard]] bool spawn_cleanup(task<> t) { return cleanups_.try_spawn(std::move(t)); }
    /// Returns the wait in milliseconds before the next attempt to connect.
    std::uint64_t backoff(unsigned failures) { return delay_.after(failures); }

    runtime::loop& loop() noexcept { return loop_; }
    const shared_state& state() const noexcept { return *state_; }
    const client_options& options() const noexcept { return state_->options; }
    /// Returns the time that is this duration from now, in milliseconds of the loop's clock.
    std::uint64_t after(duration d) const noexcept { return loop_.due_in(std::max(d, duration())); }

private:
    static constexpr std::size_t most_idle = 4;         // maximum returned connections that are kept for reuse
    static constexpr std::uint64_t short_life = 1'000;  // ms; a connection lost within this time counts as a failure

    bool connected() const noexcept { return main_ && !main_->dead(); }
    void set_timer(call&) noexcept;
    void wait(call&);
    void open();
    task<> connect_one();
    void opened(transport_ptr);
    void clean_up() noexcept;

    std::shared_ptr<const shared_state> state_;
    runtime::loop& loop_;
    std::unique_ptr<connection> main_;
    std::vector<std::unique_ptr<connection>> idle_;
    std::vector<lease*> leases_;
    std::list<call*> waiting_;
    std::size_t calls_ = 0;  // waiting or in flight
    unsigned failures_ = 0;
    std::uint64_t not_before_ = 0;  // earliest time of the next attempt to connect
    std::uint64_t opened_at_ = 0;
    std::string why_not_;  // why the last attempt to connect failed
    runtime::reconnect_delay delay_;
    struct retry_timer : runtime::timer {
        pool* of;
    } retry_;
    struct cleaning : runtime::deferred {
        pool* of;
    } cleaning_;
    bool opening_ = false, ended_ = false;
    std::unique_ptr<subscriber> subscriber_;  // null until it is used
    task_scope tasks_{{.on_failure = task_failure::only_logged, .limit = 64}};
    task_scope cleanups_{{.on_failure = task_failure::only_logged, .limit = 1'024}};
};

}  // namespace apus::redis
