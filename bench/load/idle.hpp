// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.hpp"

namespace load {

/// Opens the connections, says how many are open, and waits until standard input ends.
/// Returns how many failed.
unsigned stay_idle(const options&);

}  // namespace load
