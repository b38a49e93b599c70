// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

#include <string>

namespace showcase {

/// One route for each thing that Apus does; the page at "/" lists them. Without a token nobody may
/// enter "/admin".
apus::app make_app(const std::string& admin_token = {});

}  // namespace showcase
