// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/lease.hpp"
#include "redis/pool.hpp"
#include "redis/shared_state.hpp"

#include <apus/redis.hpp>

#include <atomic>
#include <memory>

namespace apus::redis::detail {

/// State of an executor: a client, or a reserved connection.
struct session_parts {
    std::atomic<std::size_t> users = 1;  // reference count
    std::shared_ptr<const shared_state> state;
    std::unique_ptr<lease> own = nullptr;  // null for a client

    pool& here() const { return pool::of_this_core(state); }
};

}  // namespace apus::redis::detail
