// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/database/statements.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::work {

/// Options of `apus db check`.
struct statement_options {
    std::string preset;
    std::optional<std::string_view> url{};     ///< Selects the engine and, for PostgreSQL, the server.
    std::optional<std::string_view> folder{};  ///< Folder of the migrations.
    bool offline = false;                      ///< Uses the recorded description.
    bool record = false;                       ///< Writes the recorded description if there are no findings.
};

/// Returns the SQL statements of the built program.
/// Throws E0907 if the program does not list its statements within 10 seconds.
database::program_statements statements_of(const manifest::manifest& project, const std::string& preset);

/// Checks the statements of the built program against the migrations, and prints the findings.
/// Returns false if there are findings.
bool check_statements(const manifest::manifest& project, const statement_options&, terminal::shell&);

/// Checks the statements for `apus check`. Uses the recorded description if it exists.
/// Skips programs without statements or without migrations.
bool check_statements_if_any(const manifest::manifest& project, const std::string& preset, terminal::shell&);

}  // namespace apus::cli::work
