// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace apus::support {

/// Marks a test case as skipped, if it cannot run completely on this machine or in this build.
/// A program that runs only this case, as with CTest, prints the reason and ends with 77, unless another check has
/// failed.
void skip(std::string why);

/// Marks a test case as skipped because io_uring is missing.
/// Fails if APUS_NEEDS_URING is set, as in CI on a kernel that has io_uring.
void skip_uring(const std::string& why);

/// Returns the reasons for skipped test cases of this process.
const std::vector<std::string>& skipped() noexcept;

}  // namespace apus::support
