// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measurements of executed statements, for metrics and traces: `database_options::on_statement`.

#include <apus/duration.hpp>
#include <apus/error.hpp>

#include <cstdint>
#include <string_view>

namespace apus::sql {

/// A completed execution of a statement.
/// The struct also reports a batch, a group of rows of a stream, a piece of a copy, and the begin or end of a
/// transaction. It does not contain values of parameters.
struct executed_statement {
    std::string_view engine;  ///< "sqlite" or "postgres".
    /// The statement with its placeholders.
    /// Or "begin", "commit", "rollback", "savepoint", "release savepoint", "rollback to savepoint", "notify", or
    /// "copy" with a table. Valid during the call.
    std::string_view text;
    duration took;               ///< From the call to the result.
    duration waited = {};        ///< Part of `took`: wait for a connection, rounded to ms. 0: unknown.
    std::int64_t rows = 0;       ///< Rows returned or changed.
    const error* why = nullptr;  ///< The program's error, after `map_error`; null on success.
    bool cancelled = false;      ///< The task was destroyed before the result.
};

}  // namespace apus::sql
