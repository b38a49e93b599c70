// SPDX-License-Identifier: Apache-2.0
#pragma once

// Details of failed statements, from which a program can choose a response. Default responses: docs/sql.md.

#include <apus/error.hpp>
#include <apus/result.hpp>

#include <string>
#include <string_view>

namespace apus::sql {

/// A database's report of a failed statement, without values of rows or parameters.
struct statement_failure {
    /// SQLSTATE: five characters, such as "23505".
    /// Error codes of SQLite are converted to SQLSTATE. If the server is unreachable: 08001.
    std::string state;
    /// Name of the violated constraint: "note_title_key".
    /// For a unique constraint, SQLite names the columns instead: "note.title" or "note.title, note.page". SQLite does
    /// not name a foreign key. Often empty.
    std::string constraint = {};
    std::string table = {};   ///< Often empty.
    std::string column = {};  ///< The column of a NOT NULL violation. SQLite: also of a unique violation.

    bool is_unique_violation() const noexcept { return state == "23505"; }
    bool is_foreign_key_violation() const noexcept { return state == "23503"; }
    bool is_check_violation() const noexcept { return state == "23514"; }
    bool is_null_violation() const noexcept { return state == "23502"; }
    /// A conflict of transactions or a deadlock: the transaction may succeed if it is repeated.
    bool is_serialization_failure() const noexcept { return state == "40001" || state == "40P01"; }
    /// The database is unreachable, is shutting down, or has no free resources or connections.
    bool is_unavailable() const noexcept {
        const std::string_view group = std::string_view(state).substr(0, 2);
        return group == "08" || group == "53" || state.starts_with("57P");
    }
};

/// Returns the report of the failed statement that caused this error; null for other errors.
/// Valid as long as the error or a copy of it.
const statement_failure* failure_of(const error& why) noexcept;
/// Returns the report for a failed result of `.outcome()`; null on success and for other errors.
template <class T>
const statement_failure* failure_of(const result<T>& of) noexcept {
    return of ? nullptr : failure_of(of.error());
}

}  // namespace apus::sql
