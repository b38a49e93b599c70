// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/endpoint.hpp"

#include <apus/task.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace apus::net {

/// Resolves a host to at most eight addresses, in the order to try them.
/// IP addresses (without brackets) and "localhost" resolve at once. Other names are resolved by `getaddrinfo` on a
/// thread of `apus::blocking`, without a timeout: the caller sets the deadline and may cancel. Caches nothing. Fails
/// with 502 if the name has no address.
task<std::vector<endpoint>> resolve(std::string host, std::uint16_t port);

}  // namespace apus::net
