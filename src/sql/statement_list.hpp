// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace apus::sql {

/// Returns the statements and tables of the program as JSON, for `apus db check`.
/// They are found in the constant data of the program and its libraries (apus/detail/sql_statement.hpp).
/// `src/server` calls it if it is linked, which is so in programs that use databases.
std::string list_statements();

}  // namespace apus::sql
