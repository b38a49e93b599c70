// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

namespace showcase {

/// Middleware: says in `server-timing` how many milliseconds the rest of the chain took. Browsers
/// show it among the timings of a request.
apus::task<apus::response> server_timing(apus::request&, apus::next);

}  // namespace showcase
