// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace apus::support {

/// The test case cannot check all of what it is for on this machine, or in this build. A program that runs only this
/// case, as CTest does, prints the reason and ends with 77, so that the case counts as skipped, unless something else
/// in it failed.
void skip(std::string why);

/// The same for want of io_uring; a failure where APUS_NEEDS_URING is in the environment, as in CI on a kernel that has
/// it.
void skip_uring(const std::string& why);

/// Why cases of this process were skipped.
const std::vector<std::string>& skipped() noexcept;

}  // namespace apus::support
