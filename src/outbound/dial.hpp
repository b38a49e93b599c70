// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/pool.hpp"

namespace apus::outbound {

/// Returns a connection from the pool, or a new one. It is in HTTP/2 if `lease::shared` is set.
/// For a new one, it resolves the host name, checks that each address is allowed, and tries the addresses in turn.
/// `fresh` and `careful`: see `pool::acquire_options`.
task<pool::lease> acquire_connection(pool&, const detail::asked&, const url&, bool fresh, bool careful,
                                     std::uint64_t due);

}  // namespace apus::outbound
