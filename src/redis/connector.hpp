// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/transport.hpp"
#include "redis/shared_state.hpp"
#include "runtime/loop.hpp"

#include <apus/task.hpp>

#include <cstdint>
#include <memory>

namespace apus::redis {

struct transport_closer {
    void operator()(outbound::transport* t) const noexcept { t->close(); }
};
using transport_ptr = std::unique_ptr<outbound::transport, transport_closer>;

/// Connects, authenticates, and selects RESP3 and the database. Fails with `unreachable`.
/// Owns none of its arguments: cancel the task before they are destroyed.
task<transport_ptr> connect(const shared_state&, runtime::loop&, std::uint64_t due);

}  // namespace apus::redis
