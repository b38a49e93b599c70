// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/lease.hpp"
#include "redis/pool.hpp"
#include "redis/shared_state.hpp"

#include <apus/redis.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

namespace apus::redis::detail {

/// State of an executor: a client, or a reserved connection.
struct session_parts {
    std::atomic<std::size_t> users = 1;  // reference count
    std::shared_ptr<const shared_state> state;
    bool reserved = false;  // whether the connection is not shared
    duration timeout = {};  // of each command on a reserved connection
    // The reserved connection. On a cluster, null until the first command, whose keys determine the node.
    std::unique_ptr<lease> own = nullptr;
    std::optional<std::uint16_t> slot = std::nullopt;  // on a cluster: of the keys of all commands
    std::uint32_t leases = 0;  // on a cluster: number of connections that were reserved one after the other
    bool lost = false;         // on a cluster: whether the node has refused a later command, so that WATCH is forgotten
    bool binding = false;      // whether the first command is reserving the connection

    pool& here() const { return pool::of_this_core(state); }
};

/// Executes a command without a reference to a client.
/// So the end of the last client cancels the task.
task<std::string> execute_detached(std::shared_ptr<const shared_state>, command_text what);

}  // namespace apus::redis::detail
