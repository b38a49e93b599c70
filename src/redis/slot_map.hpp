// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/address.hpp"
#include "redis/key_slot.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// Reads what nodes of a cluster report about other nodes. Replies must be complete and well-formed; their contents are
// not trusted.

namespace apus::redis {

inline constexpr std::size_t max_nodes = 1'024;  ///< Maximum number of primaries of a cluster.

/// Primaries of a cluster, and the slots that they serve.
struct slot_map {
    std::vector<host_port> nodes;              ///< Each one once.
    std::array<std::uint16_t, slots> owner{};  ///< Index in `nodes` plus 1; 0: no node serves the slot.
};

/// Reads the reply to CLUSTER SLOTS.
/// `from`: the node that has replied, for entries without a host. Skips entries of unknown hosts. Nullopt for all other
/// replies, for overlapping ranges, for more than `max_nodes` nodes, and if no node serves a slot.
std::optional<slot_map> read_slots(std::string_view reply, const host_port& from);

/// Returns false if a reply to CLUSTER INFO reports that the node regards the cluster as down.
bool is_healthy(std::string_view reply) noexcept;

/// Errors by which a node reports that it has not executed a command.
enum class refusal_kind : std::uint8_t {
    none,
    moved,   ///< Another node serves the slot (MOVED).
    ask,     ///< Another node serves this key, since the slot is being migrated (ASK).
    later,   ///< TRYAGAIN, CLUSTERDOWN: the command may succeed later.
    invalid  ///< A MOVED or ASK that is malformed.
};

struct cluster_refusal {
    refusal_kind kind = refusal_kind::none;
    std::uint16_t slot = 0;   ///< For `moved` and `ask`.
    host_port to = {};        ///< For `moved` and `ask`.
    bool other_slot = false;  ///< Whether the slot is not that of the keys which the client has found.
};

/// Classifies a reply. `from`: the node that has replied, for redirections without a host.
cluster_refusal read_refusal(std::string_view reply, const host_port& from);

}  // namespace apus::redis
