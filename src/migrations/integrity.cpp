// SPDX-License-Identifier: Apache-2.0
#include "migrations/history.hpp"
#include "migrations/sqlite_connection.hpp"

#include <apus/sql/migrations.hpp>

namespace apus::sql {

std::vector<std::string> check_sqlite(std::string_view url) {
    if (migrations::engine_of(url) != "sqlite")
        throw migration_error(migration_error::reason::url, "the database is not a SQLite file");
    const std::string file = migrations::sqlite_file(url);
    const auto on = migrations::open_sqlite_file(file, migrations::missing::is_null);
    if (!on) throw migration_error(migration_error::reason::database, "there is no database `" + file + "`");
    std::vector<std::string> found;
    const auto checked = on->run("pragma integrity_check", {});
    if (!checked) return {checked.error().message};  // damage that prevents the check itself
    for (const auto& row : *checked)
        if (row[0] != "ok") found.push_back(row[0]);
    if (!found.empty()) return found;
    for (const auto& row : migrations::must_run(*on, "pragma foreign_key_check"))
        found.push_back("row " + row[1] + " of `" + row[0] + "` refers to a missing row of `" + row[2] + "`");
    return found;
}

}  // namespace apus::sql
