// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "migrations/connection.hpp"

#include <string_view>

namespace apus::testing {

/// Inserts the rows of a JSON text, see `test::temporary_database::load`. Requires a transaction.
void insert_fixtures(migrations::connection&, std::string_view json);

}  // namespace apus::testing
