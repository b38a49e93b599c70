// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nats/address.hpp"

#include <apus/client.hpp>
#include <apus/nats/options.hpp>

#include <string>

namespace apus::nats {

/// Addresses and options of a client. Shared by the sessions of all cores. Immutable.
struct shared_state {
    address to;
    client_options options;
    client_tls tls;    ///< Empty unless `to.secure`.
    std::string name;  ///< Server in metrics: the first host of the URL, with its port.
};

}  // namespace apus::nats
