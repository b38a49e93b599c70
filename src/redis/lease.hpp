// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connection.hpp"

#include <apus/duration.hpp>

#include <memory>

namespace apus::redis {

class pool;

/// A reserved connection. Counted by its pool, which it may outlive.
struct lease {
    explicit lease(pool& p) : of(&p) {}
    lease(const lease&) = delete;
    lease& operator=(const lease&) = delete;
    ~lease();

    pool* of;  ///< Null after the pool's end.
    std::unique_ptr<connection> on;
    duration timeout;  ///< Of commands.
};

}  // namespace apus::redis
