// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/address.hpp"

#include <apus/client.hpp>
#include <apus/redis/options.hpp>

namespace apus::redis {

/// Address and options of a client, shared by the pools of all cores. Immutable.
struct shared_state {
    address to;
    client_options options;
    client_tls tls;  ///< Empty unless `to.secure`.
};

}  // namespace apus::redis
