// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

namespace arena {

/// GET /delay/{ms}: the number, after so many milliseconds, of which there are 10,000 at most.
void add_delay(apus::app&);

}  // namespace arena
