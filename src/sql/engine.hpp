// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sql/value.hpp"

#include <apus/sql/notifications.hpp>
#include <apus/sql/options.hpp>
#include <apus/task.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Interface between apus::sql and an engine. All waits are tasks. Destroying a task cancels its statement: the engine
// interrupts the statement if possible. Until the statement has ended, the engine uses only memory that `statement`
// owns, not memory of the caller.

namespace apus::sql {

class parameters;

/// Text of a statement.
/// A text in static storage keeps its address, so a cache of prepared statements may compare addresses.
struct statement_text {
    std::string_view sql;
    std::shared_ptr<const std::string> owner = nullptr;  ///< Null if `sql` has static storage.

    bool is_static() const noexcept { return !owner; }
};

/// One execution of a statement. Owns its data, so a copy may outlive the waiting task.
struct statement {
    statement_text text;  ///< A single statement with placeholders $1, $2, ...
    /// Values of $1, $2, ... in this order. Null: no parameters.
    std::shared_ptr<const parameters> values = {};
    std::uint64_t deadline = UINT64_MAX;  ///< In milliseconds of CLOCK_MONOTONIC.
    /// Maximum size of a result's cells in bytes; larger results fail with `too_large`.
    std::size_t result_size = std::size_t(64) << 20U;
};

/// One statement with several lists of parameters. Atomic: an error rolls back all executions.
struct batch {
    statement_text text;
    std::vector<std::shared_ptr<const parameters>> values;
    std::uint64_t deadline = UINT64_MAX;
};

/// Rows of a result, completely in memory. Used by one core only.
class rows {
public:
    virtual ~rows() = default;
    virtual std::size_t size() const noexcept = 0;
    virtual unsigned columns() const noexcept = 0;
    virtual std::string_view column_name(unsigned column) const noexcept = 0;
    /// Name of the type in the database, for messages: "integer", "timestamptz". May be empty.
    virtual std::string_view column_type(unsigned column) const noexcept = 0;
    /// Valid until the next call of `cell` or the destruction of this object.
    virtual value cell(std::size_t row, unsigned column) = 0;
};

/// Result of a statement.
struct outcome {
    std::unique_ptr<rows> found;  ///< Null if the statement returns no rows.
    std::int64_t changed = 0;     ///< Rows inserted, updated or deleted.
    std::uint64_t started = 0;    ///< When a connection began the statement, in ms of CLOCK_MONOTONIC. 0: unknown.
};

/// A result that is fetched incrementally.
/// The destructor releases database resources, immediately or in the background.
class cursor {
public:
    virtual ~cursor() = default;
    /// Returns the next rows; null or empty at the end. At most one call at a time.
    virtual task<std::unique_ptr<rows>> next(std::uint64_t deadline) = 0;
};

/// A subscription to the notifications of a channel. See `notification_stream`.
class listener {
public:
    virtual ~listener() = default;
    virtual task<std::optional<notification>> next() = 0;
};

/// Rows to insert into a table. See `engine_transaction::copy_in`.
struct copy_piece {
    std::string table;         ///< Quoted.
    std::string columns = {};  ///< Quoted, separated by commas.
    unsigned column_count = 0;
    std::shared_ptr<const parameters> values = nullptr;  ///< Values of all rows, in order.
    std::uint64_t deadline = UINT64_MAX;
};

/// Rows of a query as text (COPY ... TO STDOUT). The destructor ends the query.
class text_cursor {
public:
    virtual ~text_cursor() = default;
    /// Returns the next lines; nullopt at the end. At most one call at a time.
    virtual task<std::optional<std::string>> next(std::uint64_t deadline) = 0;
};

/// Executes statements, each by itself (`engine`) or in a transaction (`engine_transaction`).
class session {
public:
    virtual ~session() = default;
    virtual task<outcome> execute(statement) = 0;
    virtual task<std::int64_t> execute_batch(batch) = 0;  ///< Returns the total number of rows changed.
    /// `rows_at_once`: maximum number of rows returned by `next`.
    virtual task<std::unique_ptr<cursor>> open(statement, std::size_t rows_at_once) = 0;
    /// Executes several statements separated by semicolons, without parameters and results.
    virtual task<> execute_script(statement_text, std::uint64_t deadline) = 0;
    /// Executes COPY ... TO STDOUT.
    virtual task<std::unique_ptr<text_cursor>> copy_out(statement_text, std::uint64_t deadline) = 0;
    /// Sends a notification, which `check_notification` has accepted.
    /// A transaction sends it at its commit.
    virtual task<> notify(std::string channel, std::string payload, std::uint64_t deadline) = 0;
};

/// A transaction on one connection.
/// Destruction without `commit` or `rollback` rolls back in the background.
class engine_transaction : public session {
public:
    virtual task<> commit() = 0;    ///< The transaction is durable when the task ends without an error.
    virtual task<> rollback() = 0;  ///< The connection is free when the task ends.

    /// Stores rows, all or none. Returns their number.
    virtual task<std::int64_t> copy_in(copy_piece) = 0;

    /// Sets, releases and rolls back savepoints.
    /// `depth`: 1 for a savepoint in the transaction, 2 for a savepoint in this savepoint, and so on.
    virtual task<> savepoint(unsigned depth, std::uint64_t deadline);
    virtual task<> release_savepoint(unsigned depth, std::uint64_t deadline);
    virtual task<> rollback_to_savepoint(unsigned depth, std::uint64_t deadline);  ///< Removes the savepoint too.
    /// Rolls back to a savepoint in the background, before statements that are executed later.
    /// If this fails, the whole transaction is rolled back.
    virtual void abandon_savepoint(unsigned depth) noexcept = 0;
};

std::string savepoint_name(unsigned depth);

/// A database of the process, shared by all cores.
/// Any core may call the functions. A task belongs to the core that created it.
class engine : public session {
public:
    virtual task<std::unique_ptr<engine_transaction>> begin(const transaction_options&, std::uint64_t deadline) = 0;

    /// Listens to a channel whose name `check_notification` has accepted, on this core.
    virtual std::unique_ptr<listener> listen(const std::string& channel) = 0;

    /// "sqlite" or "postgres"; also the infix of migration files for the engine.
    virtual std::string_view name() const noexcept = 0;
    /// Whether `parameters` need the fields of structs.
    virtual bool has_composites() const noexcept { return false; }
    /// Returns a statement that makes migrations of several processes wait for each other.
    /// The transaction of each migration begins with this statement. May be empty.
    virtual std::string_view migration_lock() const noexcept = 0;

    /// Name of the database in metrics.
    const std::string& database() const noexcept { return database_; }
    void set_database(std::string name) { database_ = std::move(name); }  ///< Before the first statement.

private:
    std::string database_;
};

/// Creates an engine without connecting; the first statement connects.
/// Throws `std::invalid_argument` for an invalid URL or option.
std::shared_ptr<engine> open_sqlite(std::string_view url, const database_options&);
/// See `open_sqlite`.
std::shared_ptr<engine> open_postgres(std::string_view url, const database_options&);

}  // namespace apus::sql
