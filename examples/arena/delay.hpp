// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

namespace arena {

/// Adds GET /delay/{ms}, which returns the number after this many milliseconds, at most 10,000.
void add_delay(apus::app&);

}  // namespace arena
