// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operations/exposition.hpp"
#include "runtime/blocking.hpp"

namespace apus::server {

struct shared_state;

/// Writes all metrics of the server, the program and the process.
/// Reads counters of the cores without stopping them.
void write_metrics(operations::exposition&, shared_state&, const runtime::blocking_threads&);

}  // namespace apus::server
