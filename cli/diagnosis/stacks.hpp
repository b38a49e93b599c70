// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/diagnosis/report.hpp"

namespace apus::cli::diagnosis {

/// Finds the first frame in user code of each stack of a sanitizer's report.
/// The first stack determines the position of the report. Sets the details `freed`, `made`, `other` and `function` if
/// present.
void read_stacks(report&);

/// Returns true if the last line of a sanitizer's report is the end of the report.
bool ends_stack(const report&);

}  // namespace apus::cli::diagnosis
