// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::sql {

/// Special columns of an `sql::table`. An empty name means that the table has no such column.
struct listed_table {
    const char* file;
    unsigned line;
    std::string_view name, key, version, deleted, created, updated;
};

/// Returns the statements and tables of the program as JSON, for `apus db check`.
/// Finds statements in the constant data of the program and its libraries (apus/detail/sql_statement.hpp), and tables
/// with special columns when `make_app` constructs them. `src/server` calls this function in programs that use
/// databases.
std::string list_statements(void (*make_app)(const void*) = nullptr, const void* of = nullptr);

/// Adds a table to the list that this thread is making, if any.
void list_table(const listed_table&);

}  // namespace apus::sql
