// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sql/value.hpp"

struct sqlite3_stmt;

namespace apus::sqlite {

/// Binds a value, which must outlive the execution.
/// Returns SQLITE_RANGE for integers over 2^63 - 1, and for times outside of the years 0 to 9999.
/// Times become text such as "2026-11-22T10:00:00.000000Z", which sorts chronologically; lists become JSON.
int bind_value(sqlite3_stmt*, int index, const sql::value&);

}  // namespace apus::sqlite
