// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace apus::support {

/// Marks a test case as skipped because it cannot run, or not completely, on this machine or in
/// this build. A program that runs only this case, as CTest does, prints the reason and exits with 77, unless another
/// check has failed.
void skip(std::string why);

/// Marks a test case as skipped because io_uring is missing.
/// If APUS_NEEDS_URING is set, as in CI on kernels that have io_uring, the case fails instead.
void skip_uring(const std::string& why);

/// Returns the reasons for skipped test cases of this process.
const std::vector<std::string>& skipped() noexcept;

}  // namespace apus::support
