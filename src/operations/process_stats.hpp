// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operations/exposition.hpp"

namespace apus::operations {

/// Writes `process_*`: CPU time, memory, descriptors, threads and start time of this process.
/// Omits values that the kernel does not report.
void describe_process(exposition&);

}  // namespace apus::operations
