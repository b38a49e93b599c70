// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/address.hpp"

#include <apus/client.hpp>
#include <apus/redis/options.hpp>

namespace apus::redis {

/// State shared by the pools of all cores. Constant.
struct shared_state {
    address to;
    client_options options;
    client_tls tls;  ///< Empty unless `to.secure`.
};

}  // namespace apus::redis
