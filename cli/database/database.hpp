// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <apus/sql/migrations.hpp>

#include "cli/errors/failure.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::database {

/// Database and migrations folder of a command.
struct target {
    std::string url;     ///< Never printed: it may contain a password.
    std::string folder;  ///< Folder of the migrations.
};

/// Returns the database URL and the folder of migrations.
/// The URL comes from `--url`, DATABASE_URL or `[database] url` of apus.toml, in this order. Relative paths in
/// apus.toml are relative to its folder. Throws E0901 if no URL is set.
target find_target(std::optional<std::string_view> url, std::optional<std::string_view> folder);

/// Returns the folder of migrations. Works without a URL.
std::string find_folder(std::optional<std::string_view> folder);

/// Returns a URL without its password and parameters, for messages.
std::string shown_url(std::string_view url);

/// Converts an error of migrations to a failure of the tool: E0104, E0105 or E0901 to E0905.
errors::failure explained(const sql::migration_error&);

/// Calls `work`. Converts a `sql::migration_error` from `work` with `explained`.
template <class Work>
auto explaining(Work&& work) {
    try {
        return work();
    } catch (const sql::migration_error& why) {
        throw explained(why);
    }
}

/// Creates the next migration's files.
void create(const std::string& folder, std::string_view name, terminal::shell&);

/// Applies migrations; prints the statements if `dry_run`.
void migrate(const target&, std::optional<std::uint64_t> to, bool dry_run, terminal::shell&);

/// Reverts the latest migrations.
void roll_back(const target&, std::uint64_t count, bool dry_run, terminal::shell&);

/// Prints one line per migration. Returns false if a migration is pending or differs from its file.
bool print_status(const target&, terminal::shell&);

/// Records migrations up to `version` as applied without running them.
void baseline(const target&, std::uint64_t version, terminal::shell&);

/// Updates the table of migrations to match the files.
void repair(const target&, terminal::shell&);

/// Drops everything in the database and applies all migrations. Asks for confirmation unless `yes`.
void reset(const target&, bool yes, terminal::shell&);

/// Executes a file in one transaction; by default seed.sql beside the migrations.
void seed(const target&, std::optional<std::string_view> file, terminal::shell&);

/// Replaces the process with sqlite3 or psql.
[[noreturn]] void open_shell(const target&);

/// Prints the database as SQL with sqlite3 or pg_dump.
/// A complete dump ends with `-- end of the dump`.
void dump(const target&, terminal::shell&);

/// Copies a SQLite database to a file; the database may be in use.
void back_up(const target&, const std::string& file, terminal::shell&);

}  // namespace apus::cli::database
