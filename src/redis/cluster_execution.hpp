// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/command_keys.hpp"
#include "redis/session.hpp"

#include <apus/task.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// Executes commands on the nodes of a cluster. Follows redirections, repeats commands that no node has executed, and
// reads the map of slots again, all until the deadline. Commands that may have been executed are not repeated, as on a
// single server.

namespace apus::redis {

/// Commands that one node executes together.
struct routed {
    std::string name;  ///< For errors and spans.
    std::string wire;
    std::size_t expected = 1;    ///< Number of replies.
    bool repeatable = false;     ///< Whether all commands only read.
    command_slot where = {};     ///< Of the keys of all commands.
    std::size_t operations = 1;  ///< Number of commands, for spans.
};

/// Replies of one node.
struct routed_replies {
    std::string bytes;
    std::vector<std::size_t> ends;  ///< End of each reply in `bytes`.
};

/// Executes commands on the node that serves their keys.
/// `due`: in milliseconds of the loop's clock. Keeps no reference to a client.
task<routed_replies> execute_on_cluster(std::shared_ptr<const shared_state>, routed what, std::uint64_t due);

/// Executes commands on a reserved connection.
/// The first command reserves a connection to the node of its keys; all further keys must have the same slot. After a
/// redirection of a later command, this and all further commands fail with 503, since watched keys are forgotten.
task<routed_replies> execute_on_reserved(detail::shared_session, routed what, std::uint64_t due);

/// Executes each of the commands on the node that serves its keys, all nodes at the same time.
/// Returns the reply to each command.
task<std::vector<std::string>> execute_each_on_cluster(std::shared_ptr<const shared_state>, std::vector<routed> what,
                                                       std::uint64_t due);

}  // namespace apus::redis
