// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "postgres/pool.hpp"
#include "sql/engine.hpp"

#include <memory>
#include <string>

namespace apus::postgres {

/// Execute a call as a task, which returns the result or the error of the call.
task<sql::outcome> run(pool&, sql::statement, connection* in = nullptr);
task<std::int64_t> run_batch(pool&, sql::batch, connection* in = nullptr);
task<> run_script(pool&, sql::statement_text, std::uint64_t deadline, connection* in = nullptr);

/// Returns the statement that calls pg_notify.
sql::statement notify_statement(const std::string& channel, const std::string& payload, std::uint64_t deadline);

/// A transaction with exclusive use of a connection. Destruction rolls back uncommitted changes.
class transaction final : public sql::engine_transaction, lease_holder {
public:
    transaction(connection& c, pool& p, std::string begin);
    ~transaction() override;

    task<sql::outcome> execute(sql::statement) override;
    task<std::int64_t> execute_batch(sql::batch) override;
    task<std::unique_ptr<sql::cursor>> open(sql::statement, std::size_t rows_at_once) override;
    task<> execute_script(sql::statement_text, std::uint64_t deadline) override;
    task<> notify(std::string channel, std::string payload, std::uint64_t deadline) override;
    task<std::int64_t> copy_in(sql::copy_piece) override;
    task<std::unique_ptr<sql::text_cursor>> copy_out(sql::statement_text, std::uint64_t deadline) override;
    task<> commit() override;
    task<> rollback() override;
    task<> rollback_to_savepoint(unsigned depth, std::uint64_t deadline) override;
    void abandon_savepoint(unsigned depth) noexcept override;
    unsigned rollbacks() const noexcept { return rollbacks_; }  ///< Number of rollbacks to savepoints.

    /// Executes a statement without waiting for its result. Does nothing if the transaction has ended.
    void post(const std::string& sql) noexcept;

private:
    friend class busy_transaction;
    friend class copy_cursor;
    void lost() noexcept override;
    void end() noexcept;

    connection* in_;  // null after the end
    pool& pool_;
    unsigned cursors_ = 0, rollbacks_ = 0;
    // The error of further statements after the end.
    const char* state_ = "25P03";
    const char* why_ = "the transaction has ended";
    struct idle_timer : runtime::timer {
        transaction* of;
    } idle_;
};

/// A server cursor, read by FETCH.
/// `whole`: the transaction `in`, if the cursor owns and ends it. If `whole` is null, `in` belongs to the program and
/// must outlive the cursor.
class server_cursor final : public sql::cursor {
public:
    server_cursor(transaction& in, std::unique_ptr<transaction> whole, std::string name, std::size_t rows_at_once);
    ~server_cursor() override;
    task<std::unique_ptr<sql::rows>> next(std::uint64_t deadline) override;

private:
    transaction& in_;
    std::unique_ptr<transaction> whole_;
    unsigned rollbacks_;  // at the start
    std::string name_;
    std::shared_ptr<const std::string> fetch_;
    bool ended_ = false;
};

/// The data of COPY ... TO STDOUT. `whole` has the same meaning as for `server_cursor`.
class copy_cursor final : public sql::text_cursor {
public:
    copy_cursor(transaction& in, std::unique_ptr<transaction> whole, sql::statement_text text)
        : in_(in), whole_(std::move(whole)), text_(std::move(text)) {}
    copy_cursor(const copy_cursor&) = delete;
    copy_cursor& operator=(const copy_cursor&) = delete;
    ~copy_cursor() override;
    task<std::optional<std::string>> next(std::uint64_t deadline) override;

private:
    transaction& in_;
    std::unique_ptr<transaction> whole_;
    sql::statement_text text_;
    bool begun_ = false, ended_ = false;
};

/// Begins a transaction with exclusive use of a connection.
task<std::unique_ptr<transaction>> begin(pool&, std::string begin, std::uint64_t deadline);

}  // namespace apus::postgres
