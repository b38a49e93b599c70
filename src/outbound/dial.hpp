// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/pool.hpp"

namespace apus::outbound {

/// Takes a pooled connection or connects.
/// To connect, it resolves the name, checks each address, and tries them in turn. `fresh` and `careful`: see
/// `pool::acquire`.
task<pool::lease> lend(pool&, const detail::asked&, const url&, bool fresh, bool careful, std::uint64_t due);

}  // namespace apus::outbound
