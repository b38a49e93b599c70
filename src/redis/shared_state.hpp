// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/address.hpp"

#include <apus/client.hpp>
#include <apus/redis/options.hpp>

#include <string>

namespace apus::redis {

/// Address and options of a client, or of a node of its cluster.
/// Shared by the pools of all cores. Immutable.
struct shared_state {
    address to;
    client_options options;
    client_tls tls;                ///< Empty unless `to.secure`.
    client_tls sentinel_tls = {};  ///< Empty unless `options.sentinel.tls`.
    std::string name = {};         ///< Server in metrics: host and port, path, or the first host of the URL.
    bool of_cluster = false;       ///< Whether the server is a node of a cluster, with a pool of its own.
};

}  // namespace apus::redis
