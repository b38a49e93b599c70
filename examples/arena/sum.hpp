// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

namespace arena {

/// GET and POST of /baseline11?a=1&b=2: the sum of the query's values, and of the number that the
/// body is. GET of /baseline2 is the same.
void add_sums(apus::app&);

}  // namespace arena
