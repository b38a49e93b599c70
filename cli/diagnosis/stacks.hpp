// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/diagnosis/report.hpp"

namespace apus::cli::diagnosis {

/// Finds in a sanitizer's report the first frame of each stack that is in what users write. The first
/// stack's is the place of the report; details get `freed`, `made`, `other` and `function`, as far as they
/// are told.
void read_stacks(report&);

/// Whether the last line of a sanitizer's report was its end.
bool ends_stack(const report&);

}  // namespace apus::cli::diagnosis
