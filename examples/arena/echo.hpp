// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

namespace arena {

/// Adds POST /echo and the WebSocket /ws, which send back the bodies and messages that they
/// receive.
void add_echo(apus::app&);

}  // namespace arena
