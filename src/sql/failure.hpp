// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/sql/failure.hpp>

#include <string_view>

namespace apus::sql {

/// Details that a database reports about a failed statement.
struct failure_facts {
    std::string_view state;            ///< SQLSTATE with five characters. Engines without SQLSTATE map their codes.
    std::string_view message;          ///< For the log only.
    std::string_view constraint = {};  ///< Name, or "table.column" if the engine does not know the name.
    std::string_view table = {};
    std::string_view column = {};
    std::string_view statement = {};  ///< Text, for the log only.
};

/// Returns the error for a failed statement.
/// The SQLSTATE determines the status (docs/sql.md). The cause contains `facts`.
///
/// 23505, 23503 and 23P01: 409. 23514 and 22001: 422. 40001, 40P01, 55P03, 53xxx, 57P0x and 08xxx: 503 with
/// Retry-After. 57014 (deadline): 504. All others: 500.
error make_error(const failure_facts& facts);

/// Returns the error 503 with Retry-After for a connection that was refused, lost or timed out.
error unreachable(std::string_view why);
/// Returns the error 503 with Retry-After for too many waiting statements.
error too_busy(std::string_view why);
/// Returns the error 500 for a result over `statement::result_size`.
error too_large(std::string_view statement);

/// Removes the database's message from the cause of an error, since the message may repeat values.
/// Used for statements with secrets. The SQLSTATE and the names remain.
void hide_values(error& why, std::string_view statement);

/// Converts the error of a failed statement by `map`.
/// The result keeps the facts of `why`, and the cause of `why` unless `map` sets another cause. Returns `why` unchanged
/// if `map` is null, or if `why` is not the error of a statement.
error mapped(error why, error (*map)(const statement_failure&, error));

/// Returns the SQLSTATE of an error, or an empty text.
std::string_view state_of(const error& why) noexcept;

/// Returns whether a repetition of the whole transaction may succeed: 40001 and 40P01.
bool is_serialization_failure(const error& why) noexcept;

}  // namespace apus::sql
