// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/pool.hpp"

namespace apus::outbound {

/// Returns a connection from the pool, or a new connection.
/// The connection uses HTTP/2 if `lease::shared` is not null. To open a new connection, resolves the host name, and
/// tries the allowed addresses in order.
/// `fresh` and `careful`: see `pool::acquire_options`.
task<pool::lease> acquire_connection(pool&, const detail::asked&, const url&, bool fresh, bool careful,
                                     std::uint64_t due);

}  // namespace apus::outbound
