// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connection.hpp"

#include <memory>

namespace apus::redis {

class pool;

/// A reserved connection. The pool limits the number of leases. A lease may outlive its pool.
struct lease {
    explicit lease(pool& p) : of(&p) {}
    lease(const lease&) = delete;
    lease& operator=(const lease&) = delete;
    ~lease();

    pool* of;  ///< Null after the pool was destroyed.
    std::unique_ptr<connection> on;
};

}  // namespace apus::redis
