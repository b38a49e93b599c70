// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/shared_state.hpp"
#include "redis/slot_map.hpp"

#include <apus/task.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace apus::redis {

class pool;

/// The nodes of a cluster as one core knows them, with a pool of connections for each node in use.
/// Belongs to the pool of the client, whose own connections go to any node: see `next_candidate`.
class cluster {
public:
    explicit cluster(pool& of);
    cluster(const cluster&) = delete;
    cluster& operator=(const cluster&) = delete;
    ~cluster();  ///< Destroys the pools of all nodes.

    /// Returns the pool of the node that serves a slot; null if no such node is known.
    pool* of_slot(std::uint16_t slot);
    /// Returns the node that serves a slot; null if no such node is known.
    const host_port* server_of(std::uint16_t slot) const noexcept;
    /// Returns the pool of a node, which may be unknown so far. Null over `max_nodes`.
    pool* of_node(const host_port&);
    /// Records a redirection: another node serves the slot.
    void moved(std::uint16_t slot, const host_port& to);
    /// Starts to read the map of slots again, unless this is in progress.
    /// Delayed if the last map was read less than `refresh_pause` ago.
    void refresh();

    /// Returns a node for commands that any node serves.
    /// Each call returns another one of the known nodes and the nodes of the URL.
    /// `in_map`: returns a node of the latest map if there is one. The URL may contain former nodes and other names.
    host_port next_candidate(bool in_map = false);
    std::size_t candidates() const noexcept;
    std::size_t leases() const noexcept;  ///< Number of reserved connections of all nodes.

    /// Number of commands that use the cluster.
    /// Shared with these commands, which may outlive this object.
    const std::shared_ptr<std::size_t>& commands() const noexcept { return commands_; }

    static constexpr std::uint64_t refresh_pause = 100;  ///< Milliseconds.

private:
    struct node {
        host_port at;
        std::shared_ptr<const shared_state> state;
        bool listed = false;  // in the latest map
    };

    task<> refresh_now();
    task<bool> read_from(host_port at);
    void install(const slot_map&);
    std::uint16_t index_of(const host_port&);  // adds the node; 0: over `max_nodes`

    pool& any_;
    std::vector<std::unique_ptr<node>> nodes_;  // null: a node that was removed
    std::array<std::uint16_t, slots> owner_{};  // index in `nodes_` plus 1; 0: unknown
    std::size_t next_;
    std::uint64_t not_before_ = 0;  // of the next refresh, in milliseconds of the loop's clock
    bool known_ = false, refreshing_ = false;
    std::shared_ptr<std::size_t> commands_ = std::make_shared<std::size_t>(0);
};

}  // namespace apus::redis
