// SPDX-License-Identifier: Apache-2.0
#include "migrations/history.hpp"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <utility>

namespace apus::migrations {

namespace {

using sql::migration_error;
using sql::migration_state;
using sql::migration_status;

template <class Number>
Number number(const std::string& text) {
    Number made{};
    std::from_chars(text.data(), text.data() + text.size(), made);
    return made;
}

std::string time_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

migration_state state_of(const migration& file, const applied_migration& row) {
    if (!row.finished) return migration_state::unfinished;
    if (row.name != file.name) return migration_state::renamed;
    return row.checksum == file.checksum ? migration_state::applied : migration_state::changed;
}

}  // namespace

table must_run(connection& on, std::string_view sql, std::initializer_list<std::string> values) {
    auto found = on.run(sql, values);
    if (!found)
        throw migration_error(migration_error::reason::database, "database: " + found.error().message, {},
                              found.error().state);
    return *std::move(found);
}

std::vector<applied_migration> read_history(connection& on) {
    std::vector<applied_migration> made;
    if (must_run(on, on.find_history()).empty()) return made;
    for (auto& row : must_run(on,
                              "select version, name, checksum, applied_at, took_ms, finished from apus_migrations "
                              "order by version"))
        made.push_back({.version = number<std::uint64_t>(row[0]),
                        .name = std::move(row[1]),
                        .checksum = std::move(row[2]),
                        .applied_at = std::move(row[3]),
                        .took = number<std::int64_t>(row[4]),
                        .finished = row[5] == "1"});
    return made;
}

void create_history(connection& on) {
    if (!must_run(on, on.find_history()).empty()) return;
    must_run(on,
             "create table if not exists apus_migrations (version bigint primary key, name text not null, "
             "checksum text not null, applied_at text not null, took_ms bigint not null, finished integer not null)");
}

void add_to_history(connection& on, const migration& what, std::int64_t took, bool finished) {
    must_run(on,
             "insert into apus_migrations (version, name, checksum, applied_at, took_ms, finished) "
             "values (cast($1 as bigint), $2, $3, $4, cast($5 as bigint), cast($6 as integer))",
             {std::to_string(what.version), what.name, what.checksum, time_now(), std::to_string(took),
              finished ? "1" : "0"});
}

std::vector<migration_status> compare(const std::vector<migration>& files, const std::vector<applied_migration>& rows) {
    std::vector<migration_status> made;
    for (const migration& file : files) {
        const auto row = std::ranges::find(rows, file.version, &applied_migration::version);
        auto& status = made.emplace_back(
            migration_status{.version = file.version, .name = file.name, .reversible = !file.down.name.empty()});
        if (row == rows.end()) continue;
        status.state = state_of(file, *row);
        status.applied_at = row->applied_at;
        status.took = row->took;
    }
    for (const applied_migration& row : rows)
        if (std::ranges::find(files, row.version, &migration::version) == files.end())
            made.push_back({.version = row.version,
                            .name = row.name,
                            .state = row.finished ? migration_state::unknown : migration_state::unfinished,
                            .applied_at = row.applied_at,
                            .took = row.took});
    std::ranges::sort(made, {}, &migration_status::version);
    return made;
}

void check_history(const std::vector<migration>& files, const std::vector<applied_migration>& rows,
                   const std::string& folder) {
    const auto refuse = [](std::string message, std::string hint) {
        throw migration_error(migration_error::reason::history, std::move(message), std::move(hint));
    };
    for (const applied_migration& row : rows) {
        const auto file = std::ranges::find(files, row.version, &migration::version);
        const std::string version = std::to_string(row.version);
        if (!row.finished)
            refuse("migration " + version + " (`" + row.name + "`) began but did not end",
                   "it runs outside a transaction: complete or undo its statements by hand, then run `apus db repair`");
        if (file == files.end()) continue;
        const std::string shown = "`" + folder + file->up.name + "`";
        if (row.name != file->name)
            refuse(std::string(shown)
                       .append(": version ")
                       .append(version)
                       .append(" was applied as `")
                       .append(row.name)
                       .append("`"),
                   "give the new migration the next free version; `apus db repair` accepts a renamed file");
        if (row.checksum != file->checksum)
            refuse(shown + " was changed after it was applied",
                   "restore the file and write a new migration; `apus db repair` accepts the changed file");
    }
    for (const migration& file : files)
        if (!rows.empty() && file.version < rows.back().version &&
            std::ranges::find(rows, file.version, &applied_migration::version) == rows.end())
            refuse("`" + folder + file.up.name + "` was not applied, but version " +
                       std::to_string(rows.back().version) + " was",
                   "give it the next free version");
    if (!files.empty() && !rows.empty() && files.front().version > rows.back().version + 1)
        refuse("the database is at version " + std::to_string(rows.back().version) + ", but the files begin with `" +
                   folder + files.front().up.name + "`",
               "add the migrations between them");
}

}  // namespace apus::migrations
