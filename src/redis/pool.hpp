// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/call.hpp"
#include "redis/connection.hpp"
#include "redis/lease.hpp"
#include "redis/shared_state.hpp"
#include "redis/subscriber.hpp"
#include "runtime/loop.hpp"
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
/// There is one for the commands of all requests, one for subscriptions, and reserved ones. Calls wait in order of
/// arrival while there is no connection, which is established on first use and after a loss.
class pool : runtime::loop_end {
public:
    explicit pool(std::shared_ptr<const shared_state>);
    pool(const pool&) = delete;
    pool& operator=(const pool&) = delete;
    ~pool();

    /// Returns the pool of this core, created on first use. Destroyed with the core's loop.
    static pool& of_this_core(const std::shared_ptr<const shared_state>&);
    static pool* find_of_this_core(const shared_state&) noexcept;  ///< Null if this core has no pool.
    static void end_here(const shared_state&) noexcept;  ///< Destroys this core's pool early, if there is one.

    void submit(call&);
    void leave(call&) noexcept;  ///< The call is finished or abandoned.
    void late(call&) noexcept;   ///< Called when the deadline has passed, or no connection could be made in time.
    /// The connection of a call was lost before its last reply.
    void interrupted(call&, const std::string& why);
    void on_lost(const connection&) noexcept;
    void dispatch();  ///< Passes waiting calls to the connection.

    /// Reserves a connection: `lease::on`. Waits for connecting only.
    task<std::unique_ptr<lease>> reserve(std::uint64_t due);
    void give_back(lease&) noexcept;

    subscriber& subscriptions();
    [[nodiscard]] bool spawn(task<> t) { return tasks_.try_spawn(std::move(t)); }  ///< Cancelled with the pool.
    /// Like `spawn`, for the commands of cancelled tasks: they do not prevent connecting.
    [[nodiscard]] bool spawn_cleanup(task<> t) { return cleanups_.try_spawn(std::move(t)); }
    /// Returns the wait in milliseconds before the next attempt to connect.
    std::uint64_t backoff(unsigned failures) { return delay_.after(failures); }

    runtime::loop& loop() noexcept { return loop_; }
    const shared_state& state() const noexcept { return *state_; }
    const client_options& options() const noexcept { return state_->options; }
    /// The time after a duration from now, in milliseconds.
    std::uint64_t after(duration d) const noexcept { return loop_.due_in(std::max(d, duration())); }

private:
    static constexpr std::size_t most_idle = 4;         // reserved connections that are kept for later use
    static constexpr std::uint64_t short_life = 1'000;  // ms; a connection lost earlier counts as a failed attempt

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
    std::string why_not_;  // reason why the last attempt failed
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
