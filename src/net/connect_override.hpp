// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace apus::net {

/// Replaces connections over the network, for tests.
/// Returns a connected socket, which the caller owns, or -1 to connect over the network.
using connect_function = int (*)(std::string_view host, std::uint16_t port);

/// Called before HTTP clients of this thread open a connection. Null outside of tests.
inline thread_local constinit connect_function connect_override = nullptr;

}  // namespace apus::net
