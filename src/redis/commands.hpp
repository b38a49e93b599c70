// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::redis {

/// Returns why a command cannot be executed on a connection, or null. Names are case-insensitive.
/// `reserved`: the connection has one user, so the command may block it.
const char* fault_of(std::string_view command, bool reserved) noexcept;

/// Whether a command of Redis 7 only reads, so that it can be repeated after a lost connection.
bool only_reads(std::string_view command) noexcept;

}  // namespace apus::redis
