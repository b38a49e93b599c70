// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/endpoint.hpp"

#include <apus/task.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace apus::net {

/// The addresses of a host, at most eight, in the order in which to try them. An IPv4 or IPv6
/// address (without brackets) and "localhost" are known at once. Other names are looked up by the
/// system's `getaddrinfo` on a thread of `apus::blocking`, as long as that takes: who awaits it
/// has the deadline, and cancelling is safe. Nothing is kept: the system's resolver caches, or not.
/// A name without an address is a 502.
task<std::vector<endpoint>> resolve(std::string host, std::uint16_t port);

}  // namespace apus::net
