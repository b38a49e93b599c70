// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/pool.hpp"

namespace apus::outbound {

/// A connection for a request, kept or made: looks the name up, asks whether each address is
/// allowed, and tries them in turn. `fresh` and `careful` as in `pool::acquire`.
task<pool::lease> lend(pool&, const detail::asked&, const url&, bool fresh, bool careful, std::uint64_t due);

}  // namespace apus::outbound
