// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/serve.hpp>

#include <string>

namespace apus::server {

/// Returns a line such as "GET /notes/{id}" per route, in order of registration, with mounted apps.
/// Creates the app once on a temporary loop. Exceptions of the app's factory are not caught.
std::string list_routes(detail::maker);

}  // namespace apus::server
