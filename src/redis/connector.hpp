// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/handshake.hpp"
#include "redis/shared_state.hpp"

namespace apus::redis {

/// An established connection.
struct connected {
    transport_ptr io;
    host_port at;  ///< The server; without a host for a Unix socket.
    server_facts facts;
    bool agreed = false;  ///< Whether the majority of the sentinels names this server.
};

// Errors are those of `unreachable`. The tasks keep references to their arguments: cancel a task before they are
// destroyed. `due` is in milliseconds of the loop's clock.

/// Connects, authenticates, and selects RESP3 and the database.
/// With sentinels, connects to the primary that they name.
task<connected> connect(const shared_state&, runtime::loop&, std::uint64_t due);

/// Connects to this server with the account, database and TLS files of the client.
task<connected> connect_to_node(const shared_state&, runtime::loop&, const host_port& at, std::uint64_t due);

}  // namespace apus::redis
