// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/postgres/message.hpp"
#include "postgres/call.hpp"
#include "postgres/closing.hpp"
#include "postgres/encode.hpp"
#include "postgres/item_queue.hpp"
#include "postgres/prepared.hpp"
#include "postgres/stream.hpp"
#include "runtime/descriptor_watch.hpp"
#include "runtime/loop.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace apus::postgres {

/// An established connection.
/// Statements of many calls are in flight at a time, each with its own synchronization point: a failed statement does
/// not roll back others. A call is finished when the server has confirmed the commit. All statements of an event loop
/// iteration are sent together at the end of the iteration.
class connection final : runtime::descriptor_watch, stream_reader {
public:
    connection(pool&, pgconn_ptr);
    ~connection();

    void submit(call&);         ///< Requires `accepts()`, or that this connection is lent to the call.
    void abandon(const call&);  ///< Cancels the statement of a call whose task no longer waits.

    bool accepts() const noexcept { return !dead_ && !leased && cancel_ == cancelling::no && unwanted_ == 0; }
    bool idle() const noexcept { return items_.empty() && accepts(); }
    bool dead() const noexcept { return dead_; }
    std::size_t load() const noexcept { return items_.size(); }
    std::size_t unsent() const noexcept { return unsent_; }  ///< Part of `load` that is not sent yet.
    /// Returns whether statements are in flight and the server has not responded for more than 10 ms.
    bool slow(std::uint64_t now) const noexcept { return !items_.empty() && now - progress_ > 10; }

    /// Lends the connection: first to the call that waits for it, then to the transaction.
    void lend(lease_holder& to) noexcept {
        leased = true;
        holder = &to;
        note_use();
    }
    /// `begin` is executed together with the first statement.
    void begin_with(std::string begin) noexcept { begin_ = std::move(begin); }
    bool begun() const noexcept { return begun_; }
    /// Ends the loan, and rolls back if the transaction was not committed.
    void take_back();
    /// Executes a statement after all statements in flight, and ignores its result.
    void post(const std::string& sql);
    void cancel_sent();     ///< Called when the server has received the cancel request.
    void close() noexcept;  ///< Closes immediately, without finishing calls in flight.

    lease_holder* holder = nullptr;
    bool leased = false;

private:
    /// A sent message, or group of messages, with its own responses.
    enum class step : std::uint8_t {
        prepare,
        describe,
        types,  // asks which types of parameters are composite types
        execute,
        plain,  // BEGIN, ROLLBACK and similar statements
        close,  // closes a prepared statement
        script,
        sync
    };
    /// The last response to the current item.
    enum class progress : std::uint8_t {
        none,
        parsed,  // or, if the item describes a statement: the parameters are described
        bound,
        described,
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

    struct flush_call : runtime::deferred {
        connection* of;
        std::size_t seen = 0;  // size of the output at the last check
    } flush_;

    void ready(runtime::readiness) override;
    bool on_message(const codec::postgres::message&) override;
    void on_end(const codec::refusal*, std::string_view why) override;
    std::size_t max_row() const noexcept override;

    void note_use() noexcept;
    void expect(int more) noexcept;
    void push(step, prepared* = nullptr, call* = nullptr);
    void pop();
    void sync(call* = nullptr);
    void flush_later();
    void flush();
    void prepare(call&);
    void execute(call&, prepared&);
    bool bind(prepared&, const sql::parameters*, bool parses, call&);
    void add_plain(const std::string& sql, step = step::plain, prepared* = nullptr);
    void refuse(call&, std::string_view state, const std::string& message);

    void start_script(call&);
    void on_script(item&, const codec::postgres::message&);
    void start_copy(item&, const codec::postgres::message&);
    void copy_row(item&, std::string_view row);
    void continue_copy(call&);
    bool runs_script() const noexcept;

    void unexpected();
    void on_response(item&, const codec::postgres::message&);
    void on_prepare(item&, const codec::postgres::message&);
    void on_description(item&, const codec::postgres::message&);
    void on_types(item&, const codec::postgres::message&);
    void on_plain(item&, const codec::postgres::message&);
    void on_execute(item&, const codec::postgres::message&);
    void on_row(item&, std::string_view row);
    void on_done(item&, const codec::postgres::message&);
    void on_error(std::string_view body);
    void refuse_copy(const item&);
    void on_ready(std::string_view body);
    void on_sync(const item&);
    void on_prepared(prepared&);
    bool ask_for_types(prepared&);
    void settle(call&);
    void receive();
    void forget_statement(call&);
    void lost(std::string_view why);
    bool executes_unwanted() const noexcept;
    bool executes_wanted() const noexcept;
    void plan_cancel();
    void send_cancel();
    void wait_for_cancel();
    void on_cancel_time();

    pool& pool_;
    stream stream_;
    cancel_ptr cancel_request_;  // created early: libpq cannot create it for a lost connection
    statement_cache statements_;
    program_types program_types_;
    item_queue<item> items_;
    std::size_t unsent_ = 0;  // number of items at the end of the queue that are not sent yet
    progress at_ = progress::none;
    std::shared_ptr<const row_format> format_;  // format of the current item's rows; null without rows
    codec::postgres::transaction_state state_ = codec::postgres::transaction_state::idle;
    std::string begin_;
    bool copies_out_ = false;            // a COPY ... TO STDOUT has not ended
    bool copied_in_ = false;             // the data of the current COPY ... FROM STDIN were sent
    std::optional<error> abort_reason_;  // set while the server ignores messages up to a synchronization point
    std::string abort_state_;
    std::uint64_t progress_ = 0;  // time of the last send to an idle server or the last receive
    unsigned unwanted_ = 0;
    unsigned fences_ = 0;            // number of fences in flight
    std::uint64_t cancel_wait_ = 0;  // milliseconds until the next step of the cancellation
    cancelling cancel_ = cancelling::no;
    bool begun_ = false;
    int expected_ = 0;   // number of synchronization points in flight
    bool used_ = false;  // counted by the pool as used
    bool wants_room_ = false;
    bool dead_ = false;
};

}  // namespace apus::postgres
