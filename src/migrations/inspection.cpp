// SPDX-License-Identifier: Apache-2.0
#include <apus/sql/inspection.hpp>

#include "migrations/connection.hpp"
#include "migrations/history.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace apus::migrations {

namespace {

namespace fs = std::filesystem;
using sql::migration_error;

// Returns the URL of another database on the same server.
std::string with_database(std::string_view url, std::string_view name) {
    const std::size_t authority = url.find("://") + 3;
    const std::size_t query = std::min(url.find('?'), url.size());
    const std::size_t path = std::min(url.find('/', authority), query);
    return std::string(url.substr(0, path)).append("/").append(name).append(url.substr(query));
}

std::string random_name() {
    std::random_device random;
    return "apus_check_" + std::to_string(getpid()) + "_" + std::to_string(random());
}

// Creates a temporary folder, in memory if the machine has /dev/shm: the files in it exist for about a second.
std::string make_folder() {
    std::error_code ignored;
    const std::string base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : fs::temp_directory_path(ignored).string();
    std::string path = base + "/apus-check-XXXXXX";
    if (!mkdtemp(path.data()))
        throw migration_error(migration_error::reason::database,
                              "cannot create a folder in `" + base + "`: " + std::generic_category().message(errno));
    return path;
}

struct temporary_folder {
    std::string path = make_folder();

    temporary_folder() = default;
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    ~temporary_folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
};

// The file is removed as soon as it is open, so that nothing is left if the process is killed.
std::unique_ptr<connection> make_sqlite(std::string_view folder) {
    const temporary_folder room;
    const std::string url = "sqlite:" + room.path + "/check.db";
    sql::migrator(url, folder).migrate();
    auto made = connect(url, missing::is_created);
    must_run(*made, "select count(*) from sqlite_master");
    return made;
}

}  // namespace

}  // namespace apus::migrations

namespace apus::sql {

using namespace migrations;

struct statement_inspector::parts {
    std::unique_ptr<connection> server{};  // connection to the database `postgres`; null for SQLite
    std::string name{};                    // name of the temporary PostgreSQL database
    std::unique_ptr<connection> on{};

    parts(std::string_view url, std::string_view folder) {
        if (engine_of(url) == "sqlite") {
            on = make_sqlite(folder);
            return;
        }
        server = connect(with_database(url, "postgres"), missing::is_null);
        const std::string made = random_name();
        must_run(*server, "create database " + made);
        name = made;
        try {
            migrate(with_database(url, name), folder);
        } catch (...) {
            remove();
            throw;
        }
    }
    parts(const parts&) = delete;
    parts& operator=(const parts&) = delete;
    ~parts() { remove(); }

    // Checks the database, since a parameter such as `dbname` can override the path of the URL: only the temporary
    // database may be migrated.
    void migrate(const std::string& url, std::string_view folder) {
        on = connect(url, missing::is_null);
        if (must_run(*on, "select current_database()").front().front() != name)
            throw migration_error(migration_error::reason::url, "the URL names a database in its parameters",
                                  "write it into the path: postgres://HOST/NAME");
        sql::migrator(url, folder).migrate();
    }

    void remove() noexcept try {
        on.reset();
        if (name.empty()) return;
        [[maybe_unused]] const auto dropped = server->run("drop database if exists " + name + " with (force)");
        name.clear();
    } catch (const std::exception&) {  // out of memory: the temporary database remains, without data
        name.clear();
    }
};

statement_inspector::statement_inspector(std::string_view url, std::string_view folder)
    : parts_(new parts(url, folder)) {}
statement_inspector::~statement_inspector() { delete parts_; }

std::expected<described_statement, refused_statement> statement_inspector::describe(std::string_view sql) {
    auto made = parts_->on->describe(sql);
    if (!made) return std::unexpected(refused_statement{made.error().message, made.error().hint});
    return *std::move(made);
}

std::vector<std::string> statement_inspector::names() {
    const bool sqlite = parts_->on->language() == dialect::sqlite;
    const auto rows =
        must_run(*parts_->on, sqlite ? "select name from sqlite_master where type in ('table', 'view') "
                                       "union select c.name from sqlite_master m, pragma_table_info(m.name) c"
                                     : "select table_name from information_schema.tables union "
                                       "select column_name from information_schema.columns");
    std::vector<std::string> names;
    for (const auto& row : rows) names.push_back(row.front());
    return names;
}

}  // namespace apus::sql
