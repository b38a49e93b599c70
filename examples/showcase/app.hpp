// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "showcase/notes.hpp"

#include <apus/app.hpp>

#include <memory>
#include <string>

namespace showcase {

/// One route for each thing that Apus does; the page at "/" lists them. Without a token nobody may
/// enter "/admin". All cores are to share the notes.
apus::app make_app(const std::string& admin_token = {},
                   const std::shared_ptr<notes>& shared = std::make_shared<notes>());

}  // namespace showcase
