// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "migrations/script.hpp"

#include <apus/sql/inspection.hpp>

#include <cstdint>
#include <expected>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace apus::migrations {

/// Reason for the failure of a statement.
struct statement_failure {
    std::string message{};
    std::size_t line = 0;  ///< Line in the statement, from 1; 0 if it is unknown.
    std::string hint{};    ///< Hint of the database; often empty.
    std::string state{};   ///< SQLSTATE; SQLite: 55P03 for a locked database. Empty if it is unknown.
};

/// Cells of a result as text; NULL is empty.
using table = std::vector<std::vector<std::string>>;

/// A blocking connection for migrations, used by one thread. Separate from an engine's connections.
class connection {
public:
    virtual ~connection() = default;

    virtual dialect language() const noexcept = 0;
    virtual std::string_view begin() const noexcept = 0;  ///< Returns the statement that begins a write transaction.
    /// Returns a query that yields a row if the table of migrations exists.
    virtual std::string_view find_history() const noexcept = 0;

    /// Executes one statement; `values` are its parameters $1, $2 and so on.
    /// In `sql`, the parameters must first appear in ascending order, since SQLite numbers them by first appearance.
    virtual std::expected<table, statement_failure> run(std::string_view sql,
                                                        std::initializer_list<std::string> values = {}) = 0;
    /// Prepares a statement, without executing it.
    virtual std::expected<sql::described_statement, statement_failure> describe(std::string_view sql) = 0;
    virtual bool in_transaction() = 0;

    /// Tries to acquire the migration lock.
    /// The lock is held until the connection is closed or the process ends.
    virtual bool try_lock() = 0;
};

/// Returns "sqlite" or "postgres". Throws `migration_error` for other URLs.
std::string_view engine_of(std::string_view url);

/// Whether `connect` creates a missing database.
enum class missing : unsigned char {
    is_created,
    is_null  ///< `connect` returns null.
};

/// Opens a connection. Throws `migration_error` if the database cannot be reached.
/// Messages never contain the URL's password.
std::unique_ptr<connection> connect(std::string_view url, missing);
std::unique_ptr<connection> connect_sqlite(std::string_view url, missing);
std::unique_ptr<connection> connect_postgres(std::string_view url);

/// Returns the file name in a `sqlite:` URL.
std::string sqlite_file(std::string_view url);

}  // namespace apus::migrations
