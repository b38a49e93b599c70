// SPDX-License-Identifier: Apache-2.0
#include "migrations/sqlite_connection.hpp"

#include <apus/sql/migrations.hpp>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace apus::migrations {

namespace {

using sql::migration_error;

constexpr int busy_milliseconds = 30'000;  // maximum wait for transactions of a program that uses the database

std::string folder_of(const std::string& file) {
    const auto slash = file.rfind('/');
    return slash == file.npos ? "." : slash == 0 ? "/" : file.substr(0, slash);
}

// Explains why the file cannot be opened, which SQLite does not report.
std::string why_not_opened(const std::string& file, const char* said) {
    const int fd = open(file.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const int why = fd < 0 ? errno : 0;
    if (fd >= 0) close(fd);
    const bool is_new = why == ENOENT && access(folder_of(file).c_str(), W_OK | X_OK) != 0;
    const int shown = is_new ? errno : why;
    return shown ? std::generic_category().message(shown) : said;
}

// Finalizes the statement at the end of the scope.
struct prepared {
    const sqlite_library& with;
    sqlite3_stmt* statement = nullptr;

    prepared(const sqlite_library& library) : with(library) {}
    prepared(const prepared&) = delete;
    prepared& operator=(const prepared&) = delete;
    ~prepared() { with.finalize(statement); }
};

}  // namespace

const sqlite_library& sqlite_library::get() {
    static const sqlite_library loaded = [] {
        const shared_object from("libsqlite3.so.0", "libsqlite3-0");
        sqlite_library made{};
        from.find(made.open_v2, "sqlite3_open_v2");
        from.find(made.close_v2, "sqlite3_close_v2");
        from.find(made.prepare_v2, "sqlite3_prepare_v2");
        from.find(made.bind_text, "sqlite3_bind_text");
        from.find(made.step, "sqlite3_step");
        from.find(made.finalize, "sqlite3_finalize");
        from.find(made.column_count, "sqlite3_column_count");
        from.find(made.column_text, "sqlite3_column_text");
        from.find(made.column_bytes, "sqlite3_column_bytes");
        from.find(made.column_name, "sqlite3_column_name");
        from.find(made.column_decltype, "sqlite3_column_decltype");
        from.find(made.column_table_name, "sqlite3_column_table_name");
        from.find(made.column_origin_name, "sqlite3_column_origin_name");
        from.find(made.table_column_metadata, "sqlite3_table_column_metadata");
        from.find(made.bind_parameter_count, "sqlite3_bind_parameter_count");
        from.find(made.errcode, "sqlite3_errcode");
        from.find(made.errmsg, "sqlite3_errmsg");
        from.find(made.errstr, "sqlite3_errstr");
        from.find(made.error_offset, "sqlite3_error_offset");
        from.find(made.busy_timeout, "sqlite3_busy_timeout");
        from.find(made.get_autocommit, "sqlite3_get_autocommit");
        from.find(made.db_config, "sqlite3_db_config");
        from.find(made.backup_init, "sqlite3_backup_init");
        from.find(made.backup_step, "sqlite3_backup_step");
        from.find(made.backup_finish, "sqlite3_backup_finish");
        return made;
    }();
    return loaded;
}

std::string sqlite_file(std::string_view url) {
    std::string_view file = url.substr(url.find(':') + 1);
    if (file.starts_with("//")) file.remove_prefix(2);
    file = file.substr(0, file.find('?'));  // removes URL parameters, which are options of the engine
    if (file.empty() || file == ":memory:" || file.contains('\0'))
        throw migration_error(migration_error::reason::url, "invalid SQLite URL: missing file",
                              "write sqlite:app.db; migrations do not support in-memory databases");
    return std::string(file);
}

std::unique_ptr<sqlite_connection> open_sqlite_file(const std::string& file, missing policy) {
    const sqlite_library& with = sqlite_library::get();
    if (policy == missing::is_null && access(file.c_str(), F_OK) != 0 && errno == ENOENT) return nullptr;
    sqlite3* database = nullptr;
    const int flags = SQLITE_OPEN_READWRITE | (policy == missing::is_created ? SQLITE_OPEN_CREATE : 0);
    // "./" prevents SQLite from parsing a name such as `file:x` as a URI
    const int code = with.open_v2((file.starts_with('/') ? file : "./" + file).c_str(), &database, flags, nullptr);
    auto made = std::make_unique<sqlite_connection>(with, database, file);
    if (code != SQLITE_OK)
        throw migration_error(migration_error::reason::database,
                              "cannot open SQLite database `" + file + "`: " + why_not_opened(file, with.errstr(code)),
                              "check that its folder exists and that this user may write to both");
    with.busy_timeout(database, busy_milliseconds);
    return made;
}

std::unique_ptr<connection> connect_sqlite(std::string_view url, missing policy) {
    return open_sqlite_file(sqlite_file(url), policy);
}

sqlite_connection::sqlite_connection(const sqlite_library& with, sqlite3* database, std::string file)
    : with_(with), database_(database), file_(std::move(file)) {}

sqlite_connection::~sqlite_connection() {
    with_.close_v2(database_);
    if (lock_ >= 0) close(lock_);
}

statement_failure sqlite_connection::failure(std::string_view sql) const {
    statement_failure made{.message = with_.errmsg(database_)};
    const int code = with_.errcode(database_) & 0xff;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) made.state = "55P03";  // as in src/sqlite
    if (const int offset = with_.error_offset(database_); offset >= 0 && static_cast<std::size_t>(offset) <= sql.size())
        made.line =
            1 + static_cast<std::size_t>(std::ranges::count(sql.substr(0, static_cast<std::size_t>(offset)), '\n'));
    return made;
}

std::expected<table, statement_failure> sqlite_connection::run(std::string_view sql,
                                                               std::initializer_list<std::string> values) {
    prepared made(with_);
    if (with_.prepare_v2(database_, sql.data(), static_cast<int>(sql.size()), &made.statement, nullptr) != SQLITE_OK)
        return std::unexpected(failure(sql));
    int place = 0;
    for (const std::string& value : values)
        with_.bind_text(made.statement, ++place, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
    table found;
    int code = SQLITE_DONE;
    while (made.statement && (code = with_.step(made.statement)) == SQLITE_ROW) {
        auto& row = found.emplace_back();
        for (int i = 0; i < with_.column_count(made.statement); ++i) {
            const auto* text = reinterpret_cast<const char*>(with_.column_text(made.statement, i));
            row.emplace_back(text ? text : "",
                             static_cast<std::size_t>(text ? with_.column_bytes(made.statement, i) : 0));
        }
    }
    if (code != SQLITE_DONE) return std::unexpected(failure(sql));
    return found;
}

std::optional<bool> sqlite_connection::may_be_null(sqlite3_stmt* statement, int column) const {
    const char* const of = with_.column_table_name(statement, column);
    const char* const origin = with_.column_origin_name(statement, column);
    int not_null = 0, is_key = 0;
    if (!of || !origin ||
        with_.table_column_metadata(database_, nullptr, of, origin, nullptr, nullptr, &not_null, &is_key, nullptr) !=
            SQLITE_OK)
        return std::nullopt;
    // SQLite accepts NULL in most primary keys, because of a historical bug. This function ignores the bug, since
    // schemas do not rely on it.
    return !not_null && !is_key;
}

std::expected<sql::described_statement, statement_failure> sqlite_connection::describe(std::string_view sql) {
    prepared first(with_), next(with_);
    const char* rest = nullptr;
    const char* const end = sql.data() + sql.size();
    const auto prepare = [&](const char* at, sqlite3_stmt** to) {
        return with_.prepare_v2(database_, at, static_cast<int>(end - at), to, &rest) == SQLITE_OK;
    };
    if (!prepare(sql.data(), &first.statement)) return std::unexpected(failure(sql));
    if (!first.statement) return std::unexpected(statement_failure{.message = "the statement is empty"});
    const bool is_last = rest == end || (prepare(rest, &next.statement) && !next.statement);
    if (!is_last) return std::unexpected(statement_failure{.message = "the text has several statements"});
    sql::described_statement made;
    made.parameters.resize(static_cast<std::size_t>(with_.bind_parameter_count(first.statement)));
    for (int i = 0; i < with_.column_count(first.statement); ++i) {
        const char* const type = with_.column_decltype(first.statement, i);
        made.columns.push_back({.name = with_.column_name(first.statement, i),
                                .type = type ? type : "",
                                .nullable = may_be_null(first.statement, i)});
    }
    return made;
}

// Locks the folder instead of a file: closing a descriptor of the database file would release SQLite's POSIX locks on
// it (sqlite.org/howtocorrupt.html, 2.2), and a separate lock file would remain.
bool sqlite_connection::try_lock() {
    if (lock_ < 0) lock_ = open(folder_of(file_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ < 0 || flock(lock_, LOCK_EX | LOCK_NB) == 0) return true;
    return errno != EWOULDBLOCK && errno != EINTR;  // other errors, such as on NFS: only BEGIN IMMEDIATE locks
}

}  // namespace apus::migrations
