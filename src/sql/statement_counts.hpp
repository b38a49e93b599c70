// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/instruments.hpp"
#include "sql/engine.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::sql {

/// Returns the name of a database in metrics.
/// This is the name in the URL of PostgreSQL, or the file name of an SQLite database. It contains no user, password,
/// host or folder.
std::string name_in_metrics(std::string_view url);

namespace detail {

/// How an execution of a statement ended.
enum class statement_end : unsigned {
    succeeded,
    failed,
    timeout,      ///< At the deadline of the statement.
    conflict,     ///< The transaction conflicts with another one.
    unavailable,  ///< No connection, or too many statements wait.
    cancelled     ///< The task was destroyed.
};
statement_end end_of(const error& why) noexcept;

/// Counts statements of a database on one core, for `/metrics`.
/// An `execution` calls `begun`, and then `ended` once.
class statement_counts {
public:
    /// Without memory for the numbers, the object does nothing.
    explicit statement_counts(const engine&) noexcept;

    void begun() noexcept;
    /// `waited`: time until a connection began the statement, in milliseconds.
    void ended(statement_end, std::uint64_t nanoseconds, std::uint64_t waited) noexcept;
    void repeats_transaction() noexcept;

private:
    runtime::instrument_group* to_ = nullptr;
};

}  // namespace detail
}  // namespace apus::sql
