// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/connecting.hpp"
#include "redis/shared_state.hpp"
#include "runtime/loop.hpp"

#include <apus/task.hpp>

#include <cstdint>

namespace apus::redis {

using outbound::transport_ptr;

/// Connects, authenticates, and selects RESP3 and the database. Errors are those of `unreachable`.
/// The task keeps references to its arguments: cancel the task before they are destroyed.
task<transport_ptr> connect(const shared_state&, runtime::loop&, std::uint64_t due);

}  // namespace apus::redis
