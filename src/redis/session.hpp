// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/lease.hpp"
#include "redis/pool.hpp"
#include "redis/shared_state.hpp"

#include <apus/redis.hpp>

#include <atomic>
#include <memory>

namespace apus::redis::detail {

/// Common state of executors, which are clients and reserved connections.
struct session_parts {
    std::atomic<std::size_t> users = 1;
    std::shared_ptr<const shared_state> state;
    std::unique_ptr<lease> own = nullptr;  // of a reserved connection

    pool& here() const { return pool::of_this_core(state); }
};

}  // namespace apus::redis::detail
