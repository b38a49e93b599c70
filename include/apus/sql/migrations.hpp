// SPDX-License-Identifier: Apache-2.0
#pragma once

// Migrations: numbered SQL files that are applied to a database once each, in order.

#include <apus/duration.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::sql {

/// Thrown if migrations cannot be read or applied. `what` names the file, and the line if known.
class migration_error : public std::exception {
public:
    enum class reason : unsigned char {
        files,     ///< The folder or a file in it is invalid.
        url,       ///< The URL is invalid, or its engine is not installed.
        database,  ///< The database is unreachable, or does not respond.
        history,   ///< The files differ from the history of applied migrations in the database.
        statement  ///< A statement of a migration failed.
    };

    /// `hint`: a suggested fix; may be empty. `state`: see `state()`.
    migration_error(reason why, std::string message, std::string hint = {}, std::string state = {})
        : why_(why), message_(std::move(message)), hint_(std::move(hint)), state_(std::move(state)) {}

    reason why() const noexcept { return why_; }
    /// The error message, with file and line.
    const char* what() const noexcept override { return message_.c_str(); }
    const std::string& hint() const noexcept { return hint_; }  ///< A suggested fix; may be empty.
    /// SQLSTATE of the failed statement, such as 55P03 for a lock that was not available.
    /// Empty if no statement failed. SQLite: 55P03 for a locked database, otherwise empty.
    const std::string& state() const noexcept { return state_; }

private:
    reason why_;
    std::string message_;
    std::string hint_;
    std::string state_;
};

/// A migration file that is part of the program.
struct migration_file {
    std::string_view name;  ///< "0001_create_notes.up.sql".
    std::string_view text;
};

/// Options of `migrator` functions.
struct migration_options {
    std::optional<std::uint64_t> to = {};  ///< Last version to apply. Empty: all.
    bool dry_run = false;                  ///< Checks and reports without changes.
    duration lock_timeout = seconds(300);  ///< Maximum wait for another process that migrates the same database.
};

/// State of a migration.
enum class migration_state : unsigned char {
    pending,
    applied,
    changed,     ///< Applied, but its file was changed later.
    renamed,     ///< Applied under another name.
    unfinished,  ///< Started outside a transaction, and not completed.
    unknown      ///< Applied, but its file is missing.
};

/// A migration in the files, in the database, or in both.
struct migration_status {
    std::uint64_t version = 0;
    std::string name{};  ///< "create_notes".
    migration_state state = migration_state::pending;
    bool reversible = false;   ///< Whether there is a `.down.sql`.
    std::string applied_at{};  ///< "2026-11-22T10:00:00Z"; empty while pending.
    std::int64_t took = 0;     ///< Milliseconds; -1 for a baseline.
};

/// A migration that was applied or rolled back, or in a dry run would be.
struct migration_step {
    std::uint64_t version = 0;
    std::string file{};     ///< "0001_create_notes.up.sql".
    std::string text{};     ///< The file's statements.
    std::int64_t took = 0;  ///< Milliseconds.
};

/// Applies the migrations of a folder to a database.
/// Each call opens its own connection and blocks the thread: use it in `main` and tools, not in handlers. All functions
/// throw `migration_error`. Only one thread at a time may use the object.
///
/// The URL is `sqlite:FILE`, or `postgres://USER:PASSWORD@HOST:PORT/NAME` and other forms that
/// libpq accepts.
class migrator {
public:
    /// Reads and checks all files of the folder.
    migrator(std::string_view url, std::string_view folder);
    /// Takes files that are part of the program, and copies them.
    migrator(std::string_view url, std::span<const migration_file> files);
    migrator(const migrator&) = delete;
    migrator& operator=(const migrator&) = delete;
    ~migrator();

    /// Returns all migrations, by version. Creates neither a table nor a file.
    std::vector<migration_status> status();

    /// Applies the pending migrations, and returns them. Safe for any number of concurrent processes.
    std::vector<migration_step> migrate(const migration_options& = {});

    /// Rolls back the latest `count` migrations, in descending order.
    std::vector<migration_step> rollback(std::uint64_t count = 1, const migration_options& = {});

    /// Marks all migrations up to `version` as applied, without running them.
    /// The history of the database must be empty.
    std::vector<migration_step> baseline(std::uint64_t version, const migration_options& = {});

    /// Repairs the history of the database.
    /// Updates checksums and names from the files, and removes unfinished migrations. Returns a line per change.
    std::vector<std::string> repair(const migration_options& = {});

private:
    struct state;
    state* state_;
};

/// Applies the pending migrations of a folder: for `main`, before `apus::serve`.
std::vector<migration_step> migrate(std::string_view url, std::string_view folder = "migrations",
                                    const migration_options& = {});

/// Returns the migration files that are compiled into the program.
/// The CMake function `apus_application` compiles the folder `migrations` next to the project's CMakeLists.txt;
/// `apus_migrations(TARGET FOLDER)` compiles another folder. Without such a folder, a program that calls this function
/// does not link.
std::span<const migration_file> program_migrations() noexcept;

/// Executes the statements of a file in one transaction. Error messages contain `name`.
void execute_script(std::string_view url, std::string_view text, std::string_view name);

/// Removes all tables and other objects of a database.
/// PostgreSQL: only the objects of the current schema.
void clear_database(std::string_view url);

/// Copies a SQLite database to a file.
/// Other processes may use the database meanwhile. Replaces an existing file when the copy is complete.
void back_up_sqlite(std::string_view url, std::string_view file);

/// Checks a SQLite database by `pragma integrity_check`, and for violated foreign keys.
/// Other processes may use the database meanwhile. Returns a sentence per problem. Reads the whole file, and blocks the
/// thread.
std::vector<std::string> check_sqlite(std::string_view url);

}  // namespace apus::sql
