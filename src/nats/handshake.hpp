// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nats/server_info.hpp"
#include "outbound/connecting.hpp"
#include "runtime/loop.hpp"

#include <apus/task.hpp>

#include <cstdint>

namespace apus::nats {

/// An established connection.
struct connected {
    outbound::transport_ptr io;
    server_info info;
};

/// Connects to a server, begins TLS if the URL requires it, and authenticates.
/// Errors are those of `unreachable`. The task keeps references to its arguments: cancel it before they are destroyed.
/// `due` is in milliseconds of the loop's clock.
task<connected> connect(const shared_state&, runtime::loop&, const net::host_port& to, std::uint64_t due);

}  // namespace apus::nats
