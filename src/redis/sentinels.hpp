// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connector.hpp"

#include <functional>
#include <optional>
#include <string_view>

namespace apus::redis {

// Errors are those of `unreachable`. The tasks keep references to their arguments: cancel a task before they are
// destroyed.

/// Asks all sentinels for the primary, and connects to it.
/// Connects to a server as soon as the majority of the sentinels names it, otherwise to the servers that the sentinels
/// name, in the order of their votes. Closes connections to servers that do not report the role of a primary.
task<connected> connect_to_primary(const shared_state&, runtime::loop&, std::uint64_t due);

/// Calls `changed` for each message of a sentinel that the service has another primary.
/// Also calls it once after subscribing, since the primary may have changed before. Checks the connection with PING.
/// Ends only with an error.
task<> watch_sentinel(const shared_state&, runtime::loop&, const host_port& at, std::function<void()> changed);

/// Reads the reply to SENTINEL GET-MASTER-ADDR-BY-NAME.
/// Nullopt for all replies without a valid address. `reply` must be complete and well-formed.
std::optional<host_port> read_primary(std::string_view reply);

/// Returns whether a push message reports that the service has another primary (+switch-master).
/// `message` must be complete and well-formed.
bool is_switch_of(std::string_view message, std::string_view service);

}  // namespace apus::redis
