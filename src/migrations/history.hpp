// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "migrations/connection.hpp"
#include "migrations/files.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace apus::migrations {

/// A row of the table `apus_migrations`.
struct applied_migration {
    std::uint64_t version = 0;
    std::string name{};
    std::string checksum{};
    std::string applied_at{};
    std::int64_t took = 0;
    bool finished = true;
};

/// Executes an internal statement. Throws `migration_error` on failure.
table must_run(connection&, std::string_view sql, std::initializer_list<std::string> values = {});

/// Returns the rows sorted by version; an empty list if the table is missing.
std::vector<applied_migration> read_history(connection&);

/// Creates the table of migrations if it is missing.
void create_history(connection&);

/// Adds a row with the current time.
void add_to_history(connection&, const migration&, std::int64_t took, bool finished);

/// Returns the status of each migration from files and history, sorted by version.
std::vector<sql::migration_status> compare(const std::vector<migration>&, const std::vector<applied_migration>&);

/// Throws `migration_error` if an applied migration was changed, is unfinished, or was skipped.
/// A migration was changed if its checksum or name differs. Applied migrations without a file are accepted if their
/// version is greater than that of all files: an older program may still run while a newer one replaces it.
void check_history(const std::vector<migration>&, const std::vector<applied_migration>&, const std::string& folder);

}  // namespace apus::migrations
