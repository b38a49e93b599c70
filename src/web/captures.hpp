// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/exchange.hpp"

namespace apus::web {

/// Decodes a request's captures, which the router took from the path without decoding.
/// Returns false, without captures, if a capture must not match; see `apus::app`.
bool decode_captures(http::exchange& x);

}  // namespace apus::web
