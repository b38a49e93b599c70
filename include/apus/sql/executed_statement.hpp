// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measurements of executed statements, for metrics and traces: `database_options::on_statement`.

#include <apus/duration.hpp>
#include <apus/error.hpp>

#include <cstdint>
#include <string_view>

namespace apus::sql {

/// A completed execution.
/// Of a statement or batch, of a group of rows of a stream, of a piece of a copy, or of the begin or end of a
/// transaction. It contains no values of parameters.
struct executed_statement {
    std::string_view engine;  ///< "sqlite" or "postgres".
    /// With placeholders.
    /// Also "begin", "commit", "rollback", "savepoint", "rollback to savepoint", "notify", and "copy" with a table.
    /// Valid during the call.
    std::string_view text;
    duration took;               ///< From the call to the result.
    duration waited = {};        ///< Part of `took` before a connection took the statement, in ms. 0 if unknown.
    std::int64_t rows = 0;       ///< Rows returned or changed.
    const error* why = nullptr;  ///< The error for the program, after `map_error`; null if it succeeded.
    bool cancelled = false;      ///< The task was destroyed before the result.
};

}  // namespace apus::sql
