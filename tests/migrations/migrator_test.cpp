// SPDX-License-Identifier: Apache-2.0
#include "support/postgres_server.hpp"

#include "migrations/history.hpp"
#include "migrations/sqlite_connection.hpp"

#include <apus/sql/migrations.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace apus;
using sql::migration_file;
using sql::migration_state;
using sql::migrator;

namespace {

struct scratch_database {
    std::filesystem::path folder;
    scratch_database()
        : folder(std::filesystem::temp_directory_path() / ("apus-migrator-" + std::to_string(getpid()))) {
        std::filesystem::remove_all(folder);
        std::filesystem::create_directory(folder);
    }
    ~scratch_database() { std::filesystem::remove_all(folder); }
    std::string file() const { return (folder / "app.db").string(); }
    std::string url() const { return "sqlite:" + file(); }
};

std::string ask(const std::string& url, std::string_view sql) {
    const auto on = migrations::connect(url, migrations::missing::is_created);
    const auto found = on->run(sql);
    if (!found) return found.error().message;
    return found->empty() ? "" : found->front().front();
}

std::string failure(const std::function<void()>& call) {
    try {
        call();
    } catch (const sql::migration_error& why) {
        return why.what();
    }
    return "no error";
}

constexpr migration_file notes[] = {
    {"1_notes.up.sql", "create table notes (id integer primary key, text text);\ninsert into notes values (1, 'a;b');"},
    {"1_notes.down.sql", "drop table notes;"},
    {"2_tags.up.sql", "create table tags (id integer);\n\ninsert into tags values (1);"},
    {"2_tags.down.sql", "drop table tags"},
    {"3_done.up.sql", "alter table notes add done integer not null default 0"},
};

void apply_undo_and_report(const std::string& url) {
    migrator all(url, notes);
    CHECK(all.status()[0].state == migration_state::pending);
    CHECK(all.migrate({.dry_run = true}).size() == 3);
    CHECK(all.migrate({.to = 2}).size() == 2);
    CHECK(ask(url, "select text from notes") == "a;b");
    CHECK(all.migrate().at(0).file == "3_done.up.sql");
    CHECK(all.migrate().empty());
    const auto status = all.status();
    REQUIRE(status.size() == 3);
    CHECK(status[0].state == migration_state::applied);
    CHECK(status[0].applied_at.size() == 20);
    CHECK(status[0].reversible);
    CHECK(!status[2].reversible);
    CHECK(failure([&] { all.migrate({.to = 1}); }) == "the database is at version 3, which is later than 1");
    CHECK(failure([&] { all.migrate({.to = 9}); }) == "unknown migration 9");
    CHECK(failure([&] { all.rollback(); }) == "`3_done.up.sql` cannot be rolled back: it has no .down.sql");
    CHECK(failure([&] { all.rollback(4); }) == "cannot roll back 4 migrations: 3 were applied");
    CHECK(failure([&] { all.baseline(1); }) == "the database has a history up to version 3");

    migrator older(url, std::span(notes).first(4));
    CHECK(older.migrate().empty());  // an older program that is being replaced
    CHECK(older.status()[2].state == migration_state::unknown);
    sql::clear_database(url);
    CHECK(all.status()[0].state == migration_state::pending);
    CHECK(older.migrate().size() == 2);
    CHECK(older.rollback(2).at(0).version == 2);
    CHECK(older.migrate({.to = 1}).size() == 1);
}

void failing_migrations_leave_nothing(const std::string& url) {
    const migration_file files[] = {
        {"1_a.up.sql", "create table a (id integer);\n\ninsert into a\n values (nothing);"}};
    CHECK(failure([&] { migrator(url, files).migrate(); }).starts_with("`1_a.up.sql:"));
    CHECK(ask(url, "select count(*) from apus_migrations") == "0");
    CHECK(ask(url, "select count(*) from a") != "0");  // the query fails, since the table does not exist
    const migration_file ending[] = {{"1_a.up.sql", "create table a (id integer);\ncommit;"}};
    CHECK(failure([&] { migrator(url, ending).migrate(); }) ==
          "`1_a.up.sql:2`: a migration must not contain transaction statements: it runs in its own transaction");
    CHECK(ask(url, "select count(*) from a") != "0");
}

void changed_files_are_refused(const std::string& url) {
    const migration_file first[] = {{"1_a.up.sql", "create table a (id integer)"}};
    const migration_file changed[] = {{"1_a.up.sql", "create table a (id bigint)"}};
    const migration_file renamed[] = {{"1_b.up.sql", "create table a (id integer)"}};
    migrator(url, first).migrate();
    CHECK(failure([&] { migrator(url, changed).migrate(); }) == "`1_a.up.sql` was changed after it was applied");
    CHECK(failure([&] { migrator(url, renamed).migrate(); }) == "`1_b.up.sql`: version 1 was applied as `a`");
    CHECK(migrator(url, renamed).status()[0].state == migration_state::renamed);
    CHECK(migrator(url, changed).repair().size() == 1);
    CHECK(migrator(url, changed).migrate().empty());
}

void outside_transactions(const std::string& url) {
    const migration_file files[] = {
        {"1_a.up.sql", "-- apus: no transaction\ncreate table a (id integer);\nvacuum;\nwrong;"}};
    CHECK(failure([&] { migrator(url, files).migrate(); }).starts_with("`1_a.up.sql:4`: "));
    CHECK(failure([&] { migrator(url, files).migrate(); }) == "migration 1 (`a`) began but did not end");
    CHECK(migrator(url, files).status()[0].state == migration_state::unfinished);
    (void)ask(url, "drop table a");
    CHECK(migrator(url, files).repair().size() == 1);
    const migration_file corrected[] = {
        {"1_a.up.sql", "-- apus: no transaction\ncreate table a (id integer);\nvacuum;"}};
    CHECK(migrator(url, corrected).migrate().size() == 1);
    CHECK(migrator(url, corrected).status()[0].state == migration_state::applied);
}

pid_t in_process(const std::function<void()>& work) {
    const pid_t made = fork();
    if (made == 0) {
        try {
            work();
            _exit(0);
        } catch (...) {
            _exit(1);
        }
    }
    return made;
}

// Each process inserts a row, so that a migration that ran twice is detected.
void ten_processes(const std::string& url) {
    const migration_file files[] = {
        {"1_a.up.sql", "create table runs (version integer); insert into runs values (1)"},
        {"2_b.up.sql", "insert into runs values (2)"},
        {"3_c.up.sql", "-- apus: no transaction\ninsert into runs values (3)"},
        {"4_d.sqlite.up.sql", "insert into runs values (4)"},
        {"4_d.postgres.up.sql",
         "-- apus: no transaction\ncreate index concurrently by_version on runs (version);\n"
         "insert into runs values (4)"},
    };
    std::vector<pid_t> started;
    for (int i = 0; i < 10; ++i) started.push_back(in_process([&] { migrator(url, files).migrate(); }));
    for (const pid_t each : started) {
        int status = -1;
        REQUIRE(waitpid(each, &status, 0) == each);
        CHECK(status == 0);
    }
    CHECK(ask(url, "select count(*) from runs") == "4");
    CHECK(ask(url, "select count(*) from apus_migrations where finished = 1") == "4");
}

}  // namespace

TEST_CASE("migrations: apply, undo and report on SQLite") {
    const scratch_database at;
    apply_undo_and_report(at.url());
}
TEST_CASE("migrations: a failed migration leaves no changes on SQLite") {
    const scratch_database at;
    failing_migrations_leave_nothing(at.url());
}
TEST_CASE("migrations: changed files on SQLite") {
    const scratch_database at;
    changed_files_are_refused(at.url());
}
TEST_CASE("migrations: outside transactions on SQLite") {
    const scratch_database at;
    outside_transactions(at.url());
}
TEST_CASE("migrations: ten processes at once on SQLite") {
    const scratch_database at;
    ten_processes(at.url());
}

TEST_CASE("migrations: apply, undo and report on PostgreSQL") {
    apply_undo_and_report(support::postgres_server::shared().make_database());
}
TEST_CASE("migrations: a failed migration leaves no changes on PostgreSQL") {
    failing_migrations_leave_nothing(support::postgres_server::shared().make_database());
}
TEST_CASE("migrations: changed files on PostgreSQL") {
    changed_files_are_refused(support::postgres_server::shared().make_database());
}
TEST_CASE("migrations: outside transactions on PostgreSQL") {
    outside_transactions(support::postgres_server::shared().make_database());
}
TEST_CASE("migrations: ten processes at once on PostgreSQL") {
    ten_processes(support::postgres_server::shared().make_database());
}

TEST_CASE("migrations: a dry run and a report create no file") {
    const scratch_database at;
    migrator all(at.url(), notes);
    CHECK(all.status().size() == 3);
    CHECK(all.migrate({.dry_run = true}).size() == 3);
    CHECK(!std::filesystem::exists(at.file()));
}

TEST_CASE("migrations: a killed process leaves neither changes nor a lock") {
    const scratch_database at;
    const std::string endless =
        "create table a (id integer);\nwith recursive n(x) as (select 1 union all select x + 1 from n) "
        "insert into a select x from n;";
    const migration_file transactional[] = {{"1_a.up.sql", endless}};
    const pid_t child = in_process([&] { migrator(at.url(), transactional).migrate(); });
    // Waits until the transaction is larger than SQLite's cache. The transaction has then changed the database file, so
    // the journal must undo the change.
    std::error_code none_yet;
    for (std::uintmax_t size = 0; size < (4U << 20U);) {
        REQUIRE(waitpid(child, nullptr, WNOHANG) == 0);
        size = std::filesystem::file_size(at.file(), none_yet);
        if (none_yet) size = 0;
    }
    kill(child, SIGKILL);
    REQUIRE(waitpid(child, nullptr, 0) == child);
    const migration_file corrected[] = {{"1_a.up.sql", "create table a (id integer)"}};
    CHECK(migrator(at.url(), corrected).migrate({.lock_timeout = seconds(0)}).size() == 1);
    CHECK(ask(at.url(), "select count(*) from a") == "0");
}

TEST_CASE("migrations: waiting for the lock times out") {
    const scratch_database at;
    const auto other = migrations::connect(at.url(), migrations::missing::is_created);
    REQUIRE(other->try_lock());
    CHECK(failure([&] { migrator(at.url(), notes).migrate({.lock_timeout = milliseconds(1)}); }) ==
          "another process migrates this database");
}

TEST_CASE("migrations: a baseline executes no statements") {
    const scratch_database at;
    migrator all(at.url(), notes);
    CHECK(all.baseline(2).size() == 2);
    CHECK(ask(at.url(), "select count(*) from notes") == "no such table: notes");
    CHECK(all.status()[1].took == -1);
}

TEST_CASE("migrations: invalid URLs, and no password in messages") {
    const auto with = [](std::string_view url) { return failure([&] { migrator(url, notes).migrate(); }); };
    CHECK(with("mysql://a") == "invalid database URL: it must begin with `sqlite:` or `postgres://`");
    CHECK(with("sqlite::memory:") == "invalid SQLite URL: missing file");
    CHECK(with("sqlite:/nowhere/app.db") == "cannot open SQLite database `/nowhere/app.db`: No such file or directory");
    CHECK(with("postgres://ada:hunter2@[::1/db") == "invalid PostgreSQL URL");
    const std::string refused = with("postgres://ada:hunter2@127.0.0.1:1/db");
    CHECK(refused.starts_with("cannot connect to PostgreSQL: "));
    CHECK(!refused.contains("hunter2"));
}

TEST_CASE("migrations: a copy of a database that is in use") {
    const scratch_database at;
    migrator(at.url(), notes).migrate();
    const auto writer = migrations::connect(at.url(), migrations::missing::is_null);
    REQUIRE(writer->run("pragma journal_mode=wal"));
    REQUIRE(writer->run("begin immediate"));
    REQUIRE(writer->run("insert into notes (id, text) values (2, 'unfinished')"));
    const std::string copy = (at.folder / "copy.db").string();
    sql::back_up_sqlite(at.url(), copy);
    CHECK(ask("sqlite:" + copy, "select count(*) from notes") == "1");
    CHECK(failure([&] { sql::back_up_sqlite(at.url(), "/nowhere/copy.db"); }).starts_with("cannot "));
}

TEST_CASE("migrations: a script is one transaction") {
    const scratch_database at;
    CHECK(failure([&] { sql::execute_script(at.url(), "create table a (id integer);\nwrong", "seed.sql"); }) ==
          "`seed.sql:2`: near \"wrong\": syntax error");
    CHECK(ask(at.url(), "select count(*) from a") == "no such table: a");
    sql::execute_script(at.url(), "create table a (id integer)", "seed.sql");
    CHECK(ask(at.url(), "select count(*) from a") == "0");
}

TEST_CASE("migrations: a failed statement has its SQLSTATE") {
    const scratch_database at;
    const auto holder = migrations::connect(at.url(), migrations::missing::is_created);
    const auto other = migrations::connect(at.url(), migrations::missing::is_null);
    REQUIRE(other->run("pragma busy_timeout = 0"));
    REQUIRE(holder->run("begin immediate"));
    const auto locked = other->run("begin immediate");
    REQUIRE_FALSE(locked);
    CHECK(locked.error().state == "55P03");
    const auto wrong = other->run("selec 1");
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().state.empty());
    try {
        sql::execute_script(support::postgres_server::shared().make_database(), "select 1/0;", "division");
        FAIL_CHECK("no exception");
    } catch (const sql::migration_error& e) {
        CHECK(e.state() == "22012");
    }
}
