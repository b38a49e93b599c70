// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "postgres/result.hpp"
#include "runtime/timed_wait.hpp"
#include "sql/engine.hpp"

#include <apus/error.hpp>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apus::postgres {

class connection;
class pool;

/// A holder of a connection for exclusive use. Notified when the connection ends.
struct lease_holder {
    virtual void lost() noexcept = 0;

protected:
    ~lease_holder() = default;
};

/// One statement and its result.
/// Lives in the coroutine frame of the task that waits for the result. If the call is destroyed while a connection
/// executes the statement, the statement is cancelled and its result is discarded. Used by one core only.
class call final : public runtime::timed_wait, lease_holder {
public:
    enum class kind : std::uint8_t {
        execute,
        batch,      ///< Executes the statement with each of `lists`, in one implicit transaction.
        script,     ///< Sent with the simple query protocol. Needs exclusive use of a connection.
        copy_in,    ///< A script whose statement is COPY ... FROM STDIN, with `copied` as its data.
        copy_out,   ///< A script whose statement is COPY ... TO STDOUT. Finished when `copied` has some rows.
        copy_more,  ///< Continues a `copy_out` that was finished with `has_more`.
        lease       ///< Waits for exclusive use of a connection.
    };

    call(pool& of, kind, sql::statement);
    ~call();

    void await_suspend(std::coroutine_handle<>);

    const kind what;
    sql::statement of;
    std::vector<std::shared_ptr<const sql::parameters>> lists;
    /// The connection that executes the statement. Set this before `co_await` to choose the connection.
    connection* in = nullptr;
    std::string copied;           ///< Text of COPY.
    bool in_transaction = false;  ///< Whether the statement is part of a transaction, so that it cannot be repeated.

    // Result.
    received_rows rows;
    std::string tag;  ///< Command tag of the last command, such as "COMMIT".
    std::int64_t changed = 0;
    std::optional<error> failed;
    bool has_more = false;  ///< Whether the COPY has not ended.

    // Used by the connection and the pool.
    bool sent = false;          ///< Whether the statement was sent, so that the server may have executed it.
    std::uint64_t started = 0;  ///< When the statement was sent, in milliseconds of CLOCK_MONOTONIC.
    unsigned char repeats = 0;
    std::string state;   ///< SQLSTATE of the failure.
    bool waits = false;  ///< Whether this call is in a `call_queue`.

    void begin() noexcept {  ///< Records that the statement is sent now.
        sent = true;
        started = on().now();
    }
    connection* take() noexcept;  ///< Returns the lent connection, or null if it was lost. Call this function once.
    void finish() noexcept;       ///< Resumes the task after the core has handled the current event.

private:
    friend class pool;
    friend class call_queue;
    void lost() noexcept override { in = nullptr; }

    pool& pool_;  // not used after this call is finished, since the pool may then be destroyed
    call *next_ = nullptr, *previous_ = nullptr;  // valid if `waits`
};

/// Calls that wait for a connection. Allocates nothing.
class call_queue {
public:
    bool empty() const noexcept { return !first_; }
    std::size_t size() const noexcept { return size_; }
    call& front() const noexcept { return *first_; }
    void push_back(call&) noexcept;
    void remove(call&) noexcept;
    template <class F>
    void each(F f) {
        for (call* c = first_; c; c = c->next_) f(*c);
    }

private:
    call *first_ = nullptr, *last_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace apus::postgres
