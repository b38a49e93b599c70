// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

namespace showcase {

/// Middleware that sends the duration of the rest of the chain, in milliseconds, in the field
/// `server-timing`. Browsers show it with the timings of a request.
apus::task<apus::response> server_timing(apus::request&, apus::next_handler);

}  // namespace showcase
