// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "postgres/call.hpp"
#include "postgres/closing.hpp"
#include "postgres/encode.hpp"
#include "postgres/prepared.hpp"
#include "runtime/descriptor_watch.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include <libpq-fe.h>

namespace apus::postgres {

/// An established connection in pipeline mode.
/// Statements of many calls are in flight at a time, each with its own synchronization point: a failed statement does
/// not roll back others. A call is finished when the server has confirmed the commit.
class connection final : runtime::descriptor_watch {
public:
    connection(pool&, pgconn_ptr);
    ~connection();

    void submit(call&);         ///< Requires `accepts()`, or that the call holds this connection.
    void abandon(const call&);  ///< The call's task was destroyed.

    bool accepts() const noexcept {
        return !dead_ && !leased && !script_ && cancel_ == cancelling::no && unwanted_ == 0;
    }
    bool idle() const noexcept { return items_.empty() && accepts(); }
    bool dead() const noexcept { return dead_; }
    std::size_t load() const noexcept { return items_.size(); }
    /// Whether the current statement has taken long.
    bool slow(std::uint64_t now) const noexcept { return !items_.empty() && now - progress_ > 10; }

    /// Lends the connection, first of all to the call that waits for it.
    void lend(lease_holder& to) noexcept { leased = true, holder = &to; }
    /// `begin` is executed together with the first statement.
    void begin_with(std::string begin) noexcept { begin_ = std::move(begin); }
    bool begun() const noexcept { return begun_; }
    /// Ends the loan, and rolls back if the transaction was not committed.
    void take_back();
    /// Executes a statement after all earlier ones, and ignores its result.
    void post(const std::string& sql);
    void cancel_sent();     ///< The server has received the cancel request.
    void close() noexcept;  ///< Closes at once. Calls in flight fail, or move to another connection.

    lease_holder* holder = nullptr;
    bool leased = false;

private:
    enum class step : std::uint8_t {
        prepare,
        describe,
        execute,
        plain,  // BEGIN, DEALLOCATE and similar statements
        sync
    };
    struct item {
        step what;
        prepared* statement = nullptr;
        call* of = nullptr;
        bool unwanted = false;  // the call was abandoned
        bool returns = false;   // ends a loan
        bool fences = false;    // its completion shows that the cancel request can no longer take effect
    };
    enum class cancelling : std::uint8_t {
        no,
        planned,  // a timer is running: most statements end soon without cancellation
        sent,     // a thread sends the request
        fenced
    };
    struct cancel_timer : runtime::timer {
        connection* of;
    } cancel_timer_;

    void ready(runtime::readiness) override;
    void push(step, prepared* = nullptr, call* = nullptr);
    bool sync(call* = nullptr);
    void prepare(call&);
    void execute(call&, prepared&);
    bool bind(prepared&, const sql::parameters*, call&);
    void refuse(call&, std::string_view state, const std::string& message);
    void start_script(call&);
    void read_script();
    void finish_script();
    bool start_copy(ExecStatusType direction);
    void continue_copy(call&);
    void read_copied();
    call* current() const noexcept;
    void flush();
    void drain();
    void on_result(item&, result_ptr);
    void refuse_copy(const item&);
    void on_sync(const item&);
    void on_prepared(prepared&);
    void settle(call&);
    void forget_statement(call&);
    std::size_t waits_in_socket() const noexcept;
    void check_size(std::size_t before);
    void lost(std::string_view why);
    bool executes_unwanted() const noexcept;
    bool executes_wanted() const noexcept;
    void plan_cancel();
    void send_cancel();
    void wait_for_cancel();
    void on_cancel_time();

    pool& pool_;
    pgconn_ptr conn_;
    cancel_ptr cancel_request_;  // created early, since libpq creates none for a lost connection
    statement_cache statements_;
    encoded_parameters parameters_;
    std::deque<item> items_;
    std::string begin_;
    call* script_ = nullptr;
    bool script_runs_ = false;           // true also for an abandoned script
    bool copies_out_ = false;            // a COPY ... TO STDOUT has not ended
    bool copied_in_ = false;             // the data of the current COPY ... FROM STDIN were sent
    std::optional<error> abort_reason_;  // for the steps up to the next synchronization point
    std::string abort_state_;
    std::size_t received_ = 0, seen_ = 0;  // minimum and maximum size of an incomplete result
    std::uint64_t progress_ = 0;           // time of the last send to an idle server or the last receive
    unsigned unwanted_ = 0;
    unsigned fences_ = 0;            // number of fences in flight
    std::uint64_t cancel_wait_ = 0;  // milliseconds until the next step of the cancellation
    cancelling cancel_ = cancelling::no;
    bool begun_ = false;
    bool wants_room_ = false;
    bool draining_ = false;
    bool partial_ = false;      // the last received bytes completed no result
    bool sync_failed_ = false;  // an error arrived instead of a synchronization point
    bool dead_ = false;
};

}  // namespace apus::postgres
