// SPDX-License-Identifier: Apache-2.0
#pragma once

// Options of databases and transactions.

#include <apus/duration.hpp>
#include <apus/error.hpp>

#include <cstddef>

namespace apus::sql {

struct executed_statement;
struct statement_failure;

/// The guarantee of a commit that is reported as successful.
enum class durability : unsigned char {
    full,    ///< The commit survives a power failure: the log is on disk (SQLite: synchronous=FULL).
    process  ///< The commit survives a crash of the process, but a power failure may undo it (synchronous=NORMAL).
};

/// Limits and timeouts of a database.
struct database_options {
    /// From the call to the result of a statement, including the wait for a connection.
    /// Over it: 504. If the request times out before, its task and the statement are cancelled.
    duration statement_timeout = seconds(30);
    /// Until the server accepts a connection.
    /// Over it: 503. SQLite: maximum wait for a lock of another process.
    duration connect_timeout = seconds(5);
    /// Between two statements of a transaction. Over it, the transaction is rolled back.
    duration idle_transaction_timeout = seconds(10);
    /// Maximum connections of the process. 0: 4 per core; SQLite: 2 reader threads and 1 writer.
    unsigned connections = 0;
    /// Maximum statements that wait for a connection, per core.
    /// SQLite: per process, one queue for reading and one for writing. A statement waits at most until its deadline,
    /// and occupies about 1 KiB and the size of its parameters. Over it: 503 with Retry-After.
    unsigned queue = 16'384;
    /// Maximum unread notifications per `notification_stream`.
    /// Over it, the oldest notifications are dropped, and the stream has a gap. At least 1.
    unsigned notifications = 1'024;
    /// Bytes of one value. Over it: 413 for a parameter, 500 for a result.
    std::size_t value_size = std::size_t(16) << 20U;
    std::size_t result_size = std::size_t(64) << 20U;  ///< Bytes of one result in memory. Over it: 500; use `stream`.
    /// Whether the server keeps statements between executions.
    /// Must be false for the transaction mode of PgBouncer before version 1.21. With false, the server parses a
    /// statement at each execution. SQLite ignores this option.
    bool prepared_statements = true;
    durability durable = durability::full;  ///< For SQLite; PostgreSQL: `synchronous_commit` of the server.
    /// Logs statements that take at least this long, as `slow statement`.
    /// The record has text, rows and the wait for a connection, but no parameters. 0: logs no statements.
    duration slow_statement = milliseconds(0);
    /// Also logs the plans of slow statements: EXPLAIN, or EXPLAIN QUERY PLAN of SQLite.
    /// Another connection of the pool executes EXPLAIN afterwards, without parameters, at most once in 10 minutes per
    /// statement.
    bool slow_statement_plan = false;
    /// Called after each execution (sql/executed_statement.hpp), for metrics and traces.
    /// Runs on the core of the statement, and must be thread-safe and fast.
    void (*on_statement)(const executed_statement&) noexcept = nullptr;
    /// Replaces the error of a failed statement, commit, `listen` or `notify` (sql/failure.hpp).
    /// The function gets the default error, and returns the error for the program. It runs on the core of the
    /// statement, and must be thread-safe. It does not affect which transactions are repeated.
    error (*map_error)(const statement_failure&, error) = nullptr;
};

/// Isolation of a transaction. SQLite is always serializable.
enum class isolation : unsigned char {
    standard,  ///< The database's default.
    read_committed,
    repeatable_read,
    serializable
};

/// Options of a transaction.
struct transaction_options {
    isolation level = isolation::standard;
    bool read_only = false;
    unsigned attempts = 5;  ///< Maximum runs of the function, repeated after serialization conflicts.
};

}  // namespace apus::sql
