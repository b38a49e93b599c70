// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace apus::server {

/// From now on exceptions of handlers, and errors with a status of 500 or more, are logged with the
/// request that they answer. Of overload (503) at most one record a second, which counts the others.
void log_failures() noexcept;

}  // namespace apus::server
