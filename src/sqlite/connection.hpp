// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sql/engine.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <unordered_map>

struct sqlite3;
struct sqlite3_stmt;

namespace apus::sqlite {

/// Interrupts a statement at a deadline or by cancellation. Any thread may set `cancelled`.
struct control {
    std::atomic<bool> cancelled = false;
    std::uint64_t deadline = UINT64_MAX;  ///< In milliseconds of CLOCK_MONOTONIC.

    bool ended() const noexcept;
};

/// An SQLite connection. Used by one thread at a time.
class connection {
public:
    explicit connection(const sql::database_options& options) noexcept : options_(options) {}
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;
    ~connection();

    /// Opens the file. Without `writes`, the connection never changes the file.
    apus::result<void> open(const std::string& path, bool writes);
    bool is_open() const noexcept { return db_ != nullptr; }

    /// Executes one statement.
    /// With `only_reads`, a statement that writes is not executed, and `writes` is set to true.
    apus::result<sql::outcome> execute(const sql::statement&, const control&, bool only_reads, bool& writes);
    apus::result<void> execute_script(const std::string& sql, const control* by);

    /// Starts a statement whose rows are read in pieces.
    /// `fetch` returns the next rows, or null at the end.
    apus::result<void> start(const sql::statement&);
    apus::result<std::unique_ptr<sql::rows>> fetch(std::size_t count, const control&);

    bool in_transaction() const noexcept;       ///< False also after an error that ended the transaction.
    bool has_open_references() const noexcept;  ///< Whether deferred foreign keys are currently violated.
    error failure(std::string_view sql) const;

private:
    apus::result<sqlite3_stmt*> prepare(const sql::statement_text&);
    apus::result<void> bind(sqlite3_stmt*, const sql::statement&);
    void release(sqlite3_stmt*) noexcept;
    void forget_statements() noexcept;

    sql::database_options options_;
    sqlite3* db_ = nullptr;
    struct text_hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>()(text); }
    };
    std::unordered_map<std::string, sqlite3_stmt*, text_hash, std::equal_to<>> prepared_;  // by SQL text
    sqlite3_stmt* fetched_ = nullptr;
    sql::statement fetched_from_ = {};
};

}  // namespace apus::sqlite
