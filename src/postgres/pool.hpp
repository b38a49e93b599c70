// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "postgres/connection.hpp"
#include "postgres/listening.hpp"
#include "runtime/loop.hpp"
#include "runtime/per_core.hpp"
#include "runtime/reconnect_delay.hpp"

#include <apus/blocking.hpp>
#include <apus/sql/options.hpp>
#include <apus/task_scope.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace apus::postgres {

/// State shared by the pools of all cores.
struct shared_state {
    std::string url;
    std::string name;  ///< In metrics.
    sql::database_options options;
    unsigned most = 1;               ///< Maximum number of connections of the process.
    std::atomic<unsigned> open = 0;  ///< Number of connections, including those being established.
};

/// Connections of one core.
/// A statement is sent on the connection with the fewest statements in flight. If all connections are busy, several
/// statements of an event loop iteration are sent on the same connection, and another connection is opened. Calls wait
/// in order of arrival.
class pool : public runtime::per_core<pool, shared_state> {
public:
    explicit pool(std::shared_ptr<shared_state>);
    ~pool();

    void submit(call&);
    void repeat(call&);
    void leave(call&) noexcept;  ///< Removes a call from the waiting calls.
    /// Called when a call's deadline has passed, or when the call has waited too long for a connection.
    void late(call&) noexcept;
    void set_timer(call&) noexcept;

    void dispatch();  ///< Passes waiting calls to connections that accept them.
    void clean_up_later() noexcept;
    void cancel(cancel_ptr, connection&);

    /// Establishes a connection that is not part of the pool.
    task<pgconn_ptr> connect_on_thread();
    /// Starts a task, which the destructor of the pool cancels.
    [[nodiscard]] bool spawn(task<> t) { return tasks_.try_spawn(std::move(t)); }
    /// Returns the wait in milliseconds before the next attempt to connect.
    std::uint64_t backoff(unsigned failures) { return delay_.after(failures); }
    listening& notifications();

    /// Called when a connection begins or ends to be used by statements or a transaction.
    void count_use(bool begins) noexcept;

    runtime::loop& loop() noexcept { return loop_; }
    const sql::database_options& options() const noexcept { return shared_->options; }

private:
    static constexpr std::size_t deep = 48;  // maximum number of items in flight per connection
    // Number of items that are sent together on a connection if all connections are in use.
    static constexpr std::size_t together = 8;

    std::size_t cost(const connection&) const noexcept;
    static bool takes(const connection& c) noexcept { return c.accepts() && c.load() < deep; }
    // Whether the connection has unsent statements, with which another one can be sent.
    static bool joins(const connection& c) noexcept { return c.unsent() != 0 && c.unsent() < together; }
    connection* best() noexcept;
    connection* free() noexcept;
    bool may_open() const noexcept;
    void open_one();
    void open_beside(const connection&);
    void begin_to_open();
    task<> connect_one();
    void opened(std::shared_ptr<PGconn>);
    task<> send_cancel(cancel_ptr, connection* of);
    void clean_up() noexcept;
    void fail_all(const error&);
    void count_waiting() noexcept;

    std::shared_ptr<shared_state> shared_;
    runtime::loop& loop_;
    runtime::instrument_group& counts_;
    std::uint64_t waiting_counted_ = 0;  // number of waiting calls in `counts_`
    std::vector<std::unique_ptr<connection>> connections_;
    std::size_t used_ = 0;          // number of connections in use
    connection* joined_ = nullptr;  // result of the last search by `best`; null or one of `connections_`
    call_queue waiting_;
    unsigned opening_ = 0, failures_ = 0;
    std::uint64_t not_before_ = 0;  // earliest time of the next attempt to connect
    std::string why_not_;           // why the last attempt to connect failed
    runtime::reconnect_delay delay_;
    struct retry_timer : runtime::timer {
        pool* of;
    } retry_;
    struct cleaning : runtime::deferred {
        pool* of;
    } cleaning_;
    bool dispatching_ = false, again_ = false, ended_ = false;
    // Tells threads to stop connecting.
    std::shared_ptr<std::atomic<bool>> stops_ = std::make_shared<std::atomic<bool>>(false);
    std::unique_ptr<blocking_pool> threads_;
    std::unique_ptr<listening> listening_;  // null until it is used
    task_scope tasks_{{.on_failure = task_failure::only_logged, .limit = 1'024, .name = "postgres pool"}};
};

}  // namespace apus::postgres
