// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace apus::server {

/// Enables logging of exceptions and of errors with status 500 or more, with their request.
/// Overload (503) is logged at most once per second, with the number of omitted records.
void log_failures() noexcept;

}  // namespace apus::server
