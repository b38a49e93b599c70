// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <climits>
#include <optional>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/database/database.hpp"

namespace apus::cli::commands {

inline constexpr option database_url_flag = {
    .name = "url", .value = "URL", .summary = "the database URL (DATABASE_URL, then apus.toml)"};
inline constexpr option migrations_flag = {
    .name = "migrations", .value = "DIR", .summary = "folder of the migrations (migrations)"};

inline database::target target_of(const arguments& given) {
    return database::find_target(given.value("url"), given.value("migrations"));
}

}  // namespace apus::cli::commands
