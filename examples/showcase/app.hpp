// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "showcase/notes.hpp"

#include <apus/app.hpp>

#include <string>

namespace showcase {

/// Returns an app with one route per feature of Apus, which the page at "/" lists. With an empty
/// token, "/admin" rejects all clients. The database must have all migrations applied.
apus::app make_app(const std::string& admin_token = {},
                   const apus::sql::database& db = apus::sql::database("sqlite::memory:"));

}  // namespace showcase
