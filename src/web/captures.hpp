// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/exchange.hpp"

namespace apus::web {

/// Decodes the captures of a request, which the router has taken from its path as sent. False:
/// one of them may not be matched, see `apus::app`; there are no captures then.
bool decode_captures(http::exchange& x);

}  // namespace apus::web
