// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

namespace arena {

/// POST /echo and the WebSocket /ws: what comes goes back.
void add_echo(apus::app&);

}  // namespace arena
