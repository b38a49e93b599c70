// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

namespace starter {

/// Middleware that tells in `server-timing` how long the handler took.
apus::task<apus::response> timing(apus::request& req, apus::next next);

}  // namespace starter
