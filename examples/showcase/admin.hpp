// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

#include <string>

namespace showcase {

/// An app of its own, to be mounted: it answers only who sends `token` as a bearer token. An empty
/// token locks it.
apus::app make_admin(const std::string& token);

}  // namespace showcase
