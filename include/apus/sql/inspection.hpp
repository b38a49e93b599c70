// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lets a database describe statements without executing them, for tools such as `apus db check`.

#include <apus/sql/migrations.hpp>

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::sql {

/// A column of a statement's result.
struct described_column {
    std::string name;
    std::string type{};  ///< Name in the database: "bigint". Empty: unknown, such as for expressions in SQLite.
    std::optional<bool> nullable = {};  ///< Whether the table's column may hold NULL. Empty: unknown.
};

/// Parameters and result of a statement.
struct described_statement {
    std::vector<std::string> parameters{};  ///< Types. Empty: unknown, as always with SQLite.
    std::vector<described_column> columns{};
};

/// Reason why a database rejects a statement.
struct refused_statement {
    std::string message;
    std::string hint{};  ///< Hint of the database; often empty.
};

/// Prepares statements in a temporary database that has the migrations of a folder.
/// Only one thread at a time may use the object.
class statement_inspector {
public:
    /// Creates the temporary database: SQLite in a temporary file, PostgreSQL on the server of the URL.
    /// The database that the URL names is not used, and need not exist. Throws `migration_error`.
    statement_inspector(std::string_view url, std::string_view folder);
    statement_inspector(const statement_inspector&) = delete;
    statement_inspector& operator=(const statement_inspector&) = delete;
    ~statement_inspector();  ///< Removes the database.

    /// Prepares a statement, without executing it.
    std::expected<described_statement, refused_statement> describe(std::string_view sql);

    /// Returns the names of all tables and of their columns.
    std::vector<std::string> names();

private:
    struct parts;
    parts* parts_;
};

}  // namespace apus::sql
