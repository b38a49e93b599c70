// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sql/engine.hpp"

namespace apus::sql {

/// Returns the INSERT of all rows, for engines without COPY.
statement insert_of(const copy_piece&);

}  // namespace apus::sql
