// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sql/engine.hpp"

#include <apus/detail/sql_call.hpp>

namespace apus::sql::detail {

/// Returns the session of a savepoint that was set in `outer`.
/// Until the session ends, `outer` executes no statements. The session keeps `outer`.
shared_session open_savepoint(const shared_session& outer, unsigned depth);

/// Returns a transaction that fails each call, for a transaction with an open savepoint.
engine_transaction& transaction_with_savepoint() noexcept;

}  // namespace apus::sql::detail
