// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::redis {

/// Returns the reason why a command must not be sent on a connection, or null.
/// Names are case-insensitive. `reserved`: whether the connection is reserved, so that blocking commands are allowed.
const char* fault_of(std::string_view command, bool reserved) noexcept;

/// Returns whether a command of Redis 7 only reads.
/// Such a command can be repeated after the connection was lost.
bool only_reads(std::string_view command) noexcept;

}  // namespace apus::redis
