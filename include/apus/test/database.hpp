// SPDX-License-Identifier: Apache-2.0
#pragma once

// Temporary databases for tests: one per test, created in milliseconds.

#include <apus/sql/migrations.hpp>

#include <span>
#include <string>
#include <string_view>

namespace apus::test {

/// A temporary PostgreSQL server from the distribution's packages, on a free Unix socket.
/// Data is not synced to disk. Throws `std::runtime_error` if PostgreSQL is not installed (Debian: postgresql) or does
/// not start. APUS_POSTGRES_BIN selects the folder of another version. If root starts it, the server runs as an
/// unprivileged user: postgres, if that user exists. The server ends with the thread that created it.
class postgres {
public:
    postgres();
    postgres(const postgres&) = delete;
    postgres& operator=(const postgres&) = delete;
    ~postgres();  ///< Stops the server and removes its files.

    /// Returns the server shared by this process.
    /// It is started on first use, in less than a second, and stopped at exit.
    static postgres& shared();

    std::string url(std::string_view database = "postgres") const;  ///< URL for `sql::database`.

private:
    friend class temporary_database;
    struct parts;
    parts* parts_;
};

/// A database for one test, with all migrations applied.
/// Migrations are applied once per process; each database is a copy of the migrated database. The destructor removes
/// the database, even if connections of the program are still open.
///
/// The functions open their own connections, block the thread, and throw `sql::migration_error`.
/// Only one thread at a time may use the object.
class temporary_database {
public:
    /// SQLite, with the migrations of the program. The file is in memory if the machine has /dev/shm.
    temporary_database() : temporary_database(sql::program_migrations()) {}
    /// SQLite, with these migrations. An empty list creates an empty database.
    explicit temporary_database(std::span<const sql::migration_file>);
    /// PostgreSQL, with the migrations of the program.
    explicit temporary_database(postgres& server) : temporary_database(server, sql::program_migrations()) {}
    temporary_database(postgres&, std::span<const sql::migration_file>);
    temporary_database(const temporary_database&) = delete;
    temporary_database& operator=(const temporary_database&) = delete;
    ~temporary_database();

    const std::string& url() const noexcept { return url_; }  ///< URL for `sql::database`.

    /// Inserts rows from JSON, in order and in one transaction.
    /// `{"author": [{"id": 1, "name": "Ada"}], "note": [{"title": "x", "author": 1}]}`. Objects and lists are JSON
    /// columns. Names consist of letters, digits and `_`.
    void load(std::string_view json);
    void load_file(const std::string& path);  ///< Inserts rows from a file, like `load`.

    /// Executes statements separated by semicolons, in one transaction.
    void run(std::string_view statements);

    /// Returns the first column of the first row as text; empty for NULL, and without a row.
    std::string value(std::string_view statement);

private:
    std::string url_;
    postgres* server_ = nullptr;  // null for SQLite
};

}  // namespace apus::test
