// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/serve.hpp>

#include <string>

namespace apus::server {

/// "GET /notes/{id}" in a line for each route of the app, in the order added, with mounted apps. Makes the app once,
/// with a loop of its own, and throws what making it throws.
std::string list_routes(detail::maker);

}  // namespace apus::server
