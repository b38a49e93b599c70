// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.hpp"

namespace load {

/// Opens the connections, reports their number, and waits until standard input ends.
/// Returns the number of failures.
unsigned stay_idle(const options&);

}  // namespace load
