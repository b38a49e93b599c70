// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace apus::cli::doctor {

/// Whether a compiler miscompiles coroutines: compiles cmake/coroutine_probe.cpp in a temporary folder and runs it,
/// which
/// takes about 0.2 s. False too if that cannot be found out.
bool miscompiles_coroutines(const std::string& compiler);

}  // namespace apus::cli::doctor
