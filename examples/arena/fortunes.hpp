// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>
#include <apus/sql.hpp>

#include <string>

namespace arena {

/// Adds GET /fortunes: the messages of the table `fortune` as an HTML page.
/// One message is added, and all are sorted by message. `templates` is the folder that contains fortunes.html.
void add_fortunes(apus::app& app, const apus::sql::database& db, const std::string& templates);

}  // namespace arena
