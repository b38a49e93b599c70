// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

namespace starter {

/// Middleware that sends the handler's duration in the field `server-timing`.
apus::task<apus::response> timing(apus::request& req, apus::next_handler next);

}  // namespace starter
