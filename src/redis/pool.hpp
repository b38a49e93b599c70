// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/call.hpp"
#include "redis/cluster.hpp"
#include "redis/connection.hpp"
#include "redis/lease.hpp"
#include "redis/redis_counts.hpp"
#include "redis/reply_cache.hpp"
#include "redis/shared_state.hpp"
#include "redis/subscriber.hpp"
#include "runtime/loop.hpp"
#include "runtime/per_core.hpp"
#include "runtime/reconnect_delay.hpp"

#include <apus/task_scope.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
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
    void on_idle() noexcept;  ///< Called when all replies of a connection have arrived.
    /// Repeats a call on a connection to the primary if a replica has refused it (READONLY).
    /// Returns false if the reply must be passed to the caller.
    bool take_back(const connection&, call&);
    void dispatch();  ///< Passes waiting calls to the connection.

    /// Returns the cached reply to a command; null if it must be sent.
    /// Valid until the next call of a function.
    const std::string* cached(std::string_view wire);
    bool caches() const noexcept { return cache_ != nullptr; }
    /// Called in the order in which replies and messages arrive, before tasks are resumed.
    void on_reply(const connection&, const call&);
    void on_push(const connection&, std::string_view message);

    /// Connects to a server, with sentinels to the primary, with a cluster to any node.
    /// If the primary has changed, replaces the connections to its predecessor.
    task<connected> connect_here(std::uint64_t due);
    /// Replaces the connections for commands and subscriptions to servers that do not stay.
    /// `stays`: returns whether a server stays.
    /// Commands in flight get their replies.
    void leave_servers(const std::function<bool(const host_port&)>& stays);

    /// Reserves a connection: see `lease::on`. Waits only while a new connection is established.
    task<std::unique_ptr<lease>> reserve(std::uint64_t due);
    void give_back(lease&) noexcept;

    subscriber& subscriptions();
    /// The nodes of the cluster to which the URL of the client connects; null for other URLs.
    cluster* nodes() noexcept { return nodes_.get(); }
    std::size_t leases() const noexcept { return leases_.size(); }
    /// Returns whether commands wait or are in flight, or connections are reserved.
    bool in_use() const noexcept { return calls_ != 0 || !leases_.empty(); }
    const host_port& server() const noexcept { return server_; }  ///< Server of the last established connection.
    /// Starts a task, which the destructor of the pool cancels.
    [[nodiscard]] bool spawn(task<> t) { return tasks_.try_spawn(std::move(t)); }
    /// Like `spawn`, for commands that release locks whose attempts ended without a reply.
    /// Has its own limit, so that these commands do not use up the limit for the tasks that connect.
    [[nodiscard]] bool spawn_cleanup(task<> t) { return cleanups_.try_spawn(std::move(t)); }
    /// Returns the wait in milliseconds before the next attempt to connect.
    std::uint64_t backoff(unsigned failures) { return delay_.after(failures); }

    runtime::loop& loop() noexcept { return loop_; }
    runtime::instrument_group& counts() noexcept { return counts_; }
    const shared_state& state() const noexcept { return *state_; }
    const std::shared_ptr<const shared_state>& shared() const noexcept { return state_; }
    const client_options& options() const noexcept { return state_->options; }
    /// Returns the time that is this duration from now, in milliseconds of the loop's clock.
    std::uint64_t after(duration d) const noexcept { return loop_.due_in(std::max(d, duration())); }

private:
    static constexpr std::size_t most_idle = 4;         // maximum returned connections that are kept for reuse
    static constexpr std::uint64_t short_life = 1'000;  // ms; a connection lost within this time counts as a failure

    void count_cache() noexcept;
    void count_waiting() noexcept;
    bool is_connected() const noexcept { return main_ && !main_->dead(); }
    void set_timer(call&) noexcept;
    void wait(call&);
    void fail_waiting(std::string_view why);
    void open();
    task<> connect_one();
    task<connected> connect_main(std::uint64_t due);
    void opened(connected);
    task<connected> connect_to_any(std::uint64_t due);
    void forget_replies() noexcept;
    void note_server(const host_port&);
    void retire_main();
    void check_primary();
    void check_primary_again() noexcept;
    void schedule_check(bool reached, bool moved, bool agreed);
    task<> check_primary_now();
    task<> watch_primary();
    void close_retired() noexcept;
    void clean_up() noexcept;

    std::shared_ptr<const shared_state> state_;
    runtime::loop& loop_;
    runtime::instrument_group& counts_;
    std::size_t waiting_counted_ = 0;  // size of `waiting_` in `counts_`
    std::unique_ptr<connection> main_;
    host_port main_server_;  // of `main_`
    host_port server_;       // to which the pool has connected last
    struct retired {
        std::unique_ptr<connection> on;
        std::uint64_t until;  // time at which the connection is closed although replies are missing
    };
    std::vector<retired> retired_;  // get no more commands, and are closed after their replies
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
    } retry_, retirement_, recheck_;
    struct cleaning : runtime::deferred {
        pool* of;
    } cleaning_;
    std::unique_ptr<reply_cache> cache_;  // null: no cache
    runtime::instrument_group* cached_counts_ = nullptr;
    struct counted_cache {
        std::size_t entries = 0, bytes = 0;
        std::uint64_t evictions = 0;
    } counted_;            // included in `cached_counts_`
    bool tracks_ = false;  // whether Redis reports changes of keys that were read on `main_`
    bool opening_ = false, ended_ = false, checking_ = false, check_again_ = false;
    unsigned checks_ = 0, failed_checks_ = 0;  // since the last event that required a check of the primary
    std::unique_ptr<subscriber> subscriber_;   // null until it is used
    std::unique_ptr<cluster> nodes_;           // destroyed after the tasks, which use it
    task_scope tasks_{{.on_failure = task_failure::only_logged, .limit = 64, .name = "redis pool"}};
    task_scope cleanups_{{.on_failure = task_failure::only_logged, .limit = 1'024, .name = "redis pool"}};
};

}  // namespace apus::redis
