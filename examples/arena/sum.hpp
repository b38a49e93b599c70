// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

namespace arena {

/// Adds GET and POST /baseline11?a=1&b=2, which return the sum of the query's values, plus the
/// number in the body. GET /baseline2 does the same.
void add_sums(apus::app&);

}  // namespace arena
