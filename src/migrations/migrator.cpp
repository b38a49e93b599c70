// SPDX-License-Identifier: Apache-2.0
#include "migrations/connection.hpp"
#include "migrations/files.hpp"
#include "migrations/history.hpp"
#include "migrations/sqlite_connection.hpp"

#include <apus/sql/migrations.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include <cstdio>
#include <unistd.h>

namespace apus::sql {

namespace {

using migrations::applied_migration;
using migrations::connection;
using migrations::migration;
using migrations::missing;
using migrations::must_run;
using clock = std::chrono::steady_clock;

std::int64_t since(clock::time_point began) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - began).count();
}

void lock(connection& on, duration longest) {
    const auto began = clock::now();
    auto pause = std::chrono::milliseconds(5);
    while (!on.try_lock()) {
        if (since(began) >= longest.milliseconds())
            throw migration_error(migration_error::reason::database, "another process migrates this database",
                                  "wait until it has ended; it holds the lock until its connection closes");
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::milliseconds(100));
    }
}

// Rolls back in the destructor unless committed.
class migration_transaction {
public:
    explicit migration_transaction(connection& on) : on_(on) { must_run(on, on.begin()); }
    migration_transaction(const migration_transaction&) = delete;
    migration_transaction& operator=(const migration_transaction&) = delete;
    ~migration_transaction() {
        if (!ended_) [[maybe_unused]]
            const auto ignored = on_.run("rollback");
    }
    void commit() {
        must_run(on_, "commit");
        ended_ = true;
    }

private:
    connection& on_;
    bool ended_ = false;
};

void execute(connection& on, std::string_view text, const std::string& shown, bool in_transaction) {
    for (const auto& [statement, line] : migrations::split_script(text, on.language())) {
        const auto fail = [&](std::size_t at, const std::string& why, std::string hint, std::string state = {}) {
            throw migration_error(
                migration_error::reason::statement,
                std::string("`").append(shown).append(":").append(std::to_string(at)).append("`: ").append(why),
                std::move(hint), std::move(state));
        };
        if (in_transaction && migrations::controls_transaction(statement))
            fail(line, "a migration must not contain transaction statements: it runs in its own transaction",
                 "remove the statement, or make `" + std::string(migrations::no_transaction_line) + "` the first line");
        const auto done = on.run(statement);
        const std::string hint = in_transaction
                                     ? "no statement of this file was applied; correct it and run it again"
                                     : "earlier statements of this file were applied: complete or undo them by hand, "
                                       "then run `apus db repair`";
        if (!done)
            fail(line + (done.error().line > 0 ? done.error().line - 1 : 0), done.error().message, hint,
                 done.error().state);
        if (in_transaction != on.in_transaction()) fail(line, "the statement begins or ends a transaction", hint);
    }
}

}  // namespace

struct migrator::state {
    std::string url;
    std::string folder;  // ends with a slash, or is empty
    std::vector<migration> files;

    std::unique_ptr<connection> open(const migration_options& with) const {
        auto on = migrations::connect(url, with.dry_run ? missing::is_null : missing::is_created);
        if (with.dry_run) return on;
        lock(*on, with.lock_timeout);
        migrations::create_history(*on);
        return on;
    }
    static std::vector<applied_migration> history(connection* on) {
        return on ? migrations::read_history(*on) : std::vector<applied_migration>();
    }
    bool apply(connection& on, const migration& what, std::int64_t& took) const;
    void undo(connection& on, const migration& what, std::int64_t& took) const;
    const migration& at(std::uint64_t version) const {
        const auto found = std::ranges::find(files, version, &migration::version);
        if (found == files.end())
            throw migration_error(
                migration_error::reason::history, "unknown migration " + std::to_string(version),
                files.empty() ? "" : "the last version of the files is " + std::to_string(files.back().version));
        return *found;
    }
};

// Returns false if another process applied the migration first, which is possible on engines without a lock for the
// whole run.
bool migrator::state::apply(connection& on, const migration& what, std::int64_t& took) const {
    const auto began = clock::now();
    const std::string version = std::to_string(what.version);
    migration_transaction all(on);
    if (!must_run(on, "select 1 from apus_migrations where version = cast($1 as bigint)", {version}).empty())
        return false;
    if (!what.up.in_transaction) {
        migrations::add_to_history(on, what, 0, false);
        all.commit();
    }
    execute(on, what.up.text, folder + what.up.name, what.up.in_transaction);
    took = since(began);
    if (what.up.in_transaction) {
        migrations::add_to_history(on, what, took, true);
        all.commit();
    } else
        must_run(
            on,
            "update apus_migrations set finished = 1, took_ms = cast($1 as bigint) where version = cast($2 as bigint)",
            {std::to_string(took), version});
    return true;
}

void migrator::state::undo(connection& on, const migration& what, std::int64_t& took) const {
    const auto began = clock::now();
    const std::string version = std::to_string(what.version);
    migration_transaction all(on);
    if (!what.down.in_transaction) {
        must_run(on, "update apus_migrations set finished = 0 where version = cast($1 as bigint)", {version});
        all.commit();
    }
    execute(on, what.down.text, folder + what.down.name, what.down.in_transaction);
    must_run(on, "delete from apus_migrations where version = cast($1 as bigint)", {version});
    if (what.down.in_transaction) all.commit();
    took = since(began);
}

namespace {

std::vector<migration> arranged(std::span<const migration_file> files, std::string_view url) {
    auto made = migrations::arrange(files, migrations::engine_of(url));
    if (made.empty())
        throw migration_error(migration_error::reason::files, "there are no migrations",
                              "`apus db new NAME` creates the first one");
    return made;
}

}  // namespace

migrator::migrator(std::string_view url, std::string_view folder) : state_(nullptr) {
    const auto read = migrations::read_folder(std::string(folder));
    std::vector<migration_file> files;
    files.reserve(read.size());
    for (const auto& each : read) files.push_back({each.name, each.text});
    state_ = new state{std::string(url), std::string(folder) + "/", arranged(files, url)};
}

migrator::migrator(std::string_view url, std::span<const migration_file> files)
    : state_(new state{std::string(url), "", arranged(files, url)}) {}

migrator::~migrator() { delete state_; }

std::vector<migration_status> migrator::status() {
    const auto on = migrations::connect(state_->url, missing::is_null);
    return migrations::compare(state_->files, state::history(on.get()));
}

std::vector<migration_step> migrator::migrate(const migration_options& with) {
    if (with.to && *with.to != 0) (void)state_->at(*with.to);
    const auto on = state_->open(with);
    const auto rows = state::history(on.get());
    migrations::check_history(state_->files, rows, state_->folder);
    if (with.to && !rows.empty() && rows.back().version > *with.to)
        throw migration_error(migration_error::reason::history,
                              "the database is at version " + std::to_string(rows.back().version) +
                                  ", which is later than " + std::to_string(*with.to),
                              "`apus db rollback` undoes migrations");
    std::vector<migration_step> made;
    for (const migration& each : state_->files) {
        if (with.to && each.version > *with.to) break;
        if (std::ranges::find(rows, each.version, &applied_migration::version) != rows.end()) continue;
        migration_step step{.version = each.version, .file = each.up.name, .text = each.up.text};
        if (with.dry_run || state_->apply(*on, each, step.took)) made.push_back(std::move(step));
    }
    return made;
}

std::vector<migration_step> migrator::rollback(std::uint64_t count, const migration_options& with) {
    const auto on = state_->open(with);
    const auto rows = state::history(on.get());
    if (count > rows.size())
        throw migration_error(migration_error::reason::history, "cannot roll back " + std::to_string(count) +
                                                                    " migrations: " + std::to_string(rows.size()) +
                                                                    " were applied");
    std::vector<const migration*> wanted;
    for (std::size_t i = 0; i < count; ++i) {
        const applied_migration& row = rows[rows.size() - 1 - i];
        const migration& file = state_->at(row.version);
        if (!row.finished || row.name != file.name) migrations::check_history(state_->files, rows, state_->folder);
        if (file.down.name.empty())
            throw migration_error(migration_error::reason::history,
                                  "`" + state_->folder + file.up.name + "` cannot be rolled back: it has no .down.sql",
                                  "nothing was rolled back; write the file, or a new migration that undoes this one");
        wanted.push_back(&file);
    }
    std::vector<migration_step> made;
    for (const migration* each : wanted) {
        migration_step step{.version = each->version, .file = each->down.name, .text = each->down.text};
        if (!with.dry_run) state_->undo(*on, *each, step.took);
        made.push_back(std::move(step));
    }
    return made;
}

std::vector<migration_step> migrator::baseline(std::uint64_t version, const migration_options& with) {
    (void)state_->at(version);
    const auto on = state_->open(with);
    if (const auto rows = state::history(on.get()); !rows.empty())
        throw migration_error(migration_error::reason::history,
                              "the database has a history up to version " + std::to_string(rows.back().version),
                              "a baseline requires a database without applied migrations");
    std::vector<migration_step> made;
    std::optional<migration_transaction> all;
    if (!with.dry_run) all.emplace(*on);
    for (const migration& each : state_->files) {
        if (each.version > version) break;
        if (!with.dry_run) migrations::add_to_history(*on, each, -1, true);
        made.push_back({.version = each.version, .file = each.up.name, .text = each.up.text});
    }
    if (all) all->commit();
    return made;
}

std::vector<std::string> migrator::repair(const migration_options& with) {
    const auto on = state_->open(with);
    std::vector<std::string> made;
    std::optional<migration_transaction> all;
    if (!with.dry_run) all.emplace(*on);
    for (const migration_status& each : migrations::compare(state_->files, state::history(on.get()))) {
        const std::string version = std::to_string(each.version),
                          named = "migration " + version + " (`" + each.name + "`)";
        if (each.state == migration_state::unfinished) {
            made.push_back(named + " is pending again");
            if (!with.dry_run)
                must_run(*on, "delete from apus_migrations where version = cast($1 as bigint)", {version});
        } else if (each.state == migration_state::changed || each.state == migration_state::renamed) {
            made.push_back(named + " has the name and checksum of its file");
            const migration& file = state_->at(each.version);
            if (!with.dry_run)
                must_run(*on, "update apus_migrations set name = $1, checksum = $2 where version = cast($3 as bigint)",
                         {file.name, file.checksum, version});
        }
    }
    if (all) all->commit();
    return made;
}

std::vector<migration_step> migrate(std::string_view url, std::string_view folder, const migration_options& with) {
    return migrator(url, folder).migrate(with);
}

void execute_script(std::string_view url, std::string_view text, std::string_view name) {
    const auto on = migrations::connect(url, missing::is_created);
    migration_transaction all(*on);
    execute(*on, text, std::string(name), true);
    all.commit();
}

void clear_database(std::string_view url) {
    if (migrations::engine_of(url) == "sqlite") {
        const auto on = migrations::open_sqlite_file(migrations::sqlite_file(url), missing::is_null);
        if (!on) return;
        // SQLITE_DBCONFIG_RESET_DATABASE also works while other processes have the file open.
        on->library().db_config(on->handle(), SQLITE_DBCONFIG_RESET_DATABASE, 1, nullptr);
        must_run(*on, "vacuum");
        on->library().db_config(on->handle(), SQLITE_DBCONFIG_RESET_DATABASE, 0, nullptr);
        return;
    }
    const auto on = migrations::connect(url, missing::is_null);
    const auto name = must_run(*on, "select quote_ident(current_schema())");
    if (name.empty() || name[0][0].empty())
        throw migration_error(migration_error::reason::database, "no schema in the search_path exists");
    migration_transaction all(*on);
    must_run(*on, "drop schema " + name[0][0] + " cascade");
    must_run(*on, "create schema " + name[0][0]);
    all.commit();
}

void back_up_sqlite(std::string_view url, std::string_view file) {
    if (migrations::engine_of(url) != "sqlite")
        throw migration_error(migration_error::reason::url, "not a SQLite database", "use pg_dump for PostgreSQL");
    const auto from = migrations::open_sqlite_file(migrations::sqlite_file(url), missing::is_null);
    if (!from)
        throw migration_error(migration_error::reason::database,
                              "there is no database `" + migrations::sqlite_file(url) + "`");
    const std::string target(file), part = target + "." + std::to_string(getpid()) + ".part";
    std::remove(part.c_str());
    int code = SQLITE_OK;
    std::string why;
    {
        const auto to = migrations::open_sqlite_file(part, missing::is_created);
        const auto& with = from->library();
        auto* const copy = with.backup_init(to->handle(), "main", from->handle(), "main");
        // copies one snapshot, so that concurrent writes do not restart the copy
        code = copy ? with.backup_step(copy, -1) : SQLITE_ERROR;
        if (copy) with.backup_finish(copy);
        why = code == SQLITE_DONE ? "" : with.errstr(code);
    }
    if (code == SQLITE_DONE && std::rename(part.c_str(), target.c_str()) == 0) return;
    std::remove(part.c_str());
    throw migration_error(migration_error::reason::database,
                          "cannot write the copy `" + target + "`" + (why.empty() ? "" : ": " + why));
}

}  // namespace apus::sql
