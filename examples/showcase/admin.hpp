// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

#include <string>

namespace showcase {

/// Returns an app to mount. It accepts only clients that send `token` as a bearer token; with an
/// empty token it rejects all clients.
apus::app make_admin(const std::string& token);

}  // namespace showcase
