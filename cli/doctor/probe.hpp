// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace apus::cli::doctor {

/// Returns true if a compiler miscompiles coroutines.
/// Compiles and runs cmake/coroutine_probe.cpp in a temporary folder, which takes about 0.2 s. Returns false if the
/// probe cannot run.
bool miscompiles_coroutines(const std::string& compiler);

}  // namespace apus::cli::doctor
