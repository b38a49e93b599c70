// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "migrations/connection.hpp"
#include "migrations/sqlite_library.hpp"

#include <string>

namespace apus::migrations {

/// A connection to a SQLite file.
class sqlite_connection final : public connection {
public:
    /// Takes ownership of the handle.
    sqlite_connection(const sqlite_library&, sqlite3*, std::string file);
    sqlite_connection(const sqlite_connection&) = delete;
    sqlite_connection& operator=(const sqlite_connection&) = delete;
    ~sqlite_connection() override;

    dialect language() const noexcept override { return dialect::sqlite; }
    std::string_view begin() const noexcept override { return "begin immediate"; }
    std::string_view find_history() const noexcept override {
        return "select 1 from sqlite_master where type = 'table' and name = 'apus_migrations'";
    }
    std::expected<table, statement_failure> run(std::string_view, std::initializer_list<std::string>) override;
    std::expected<sql::described_statement, statement_failure> describe(std::string_view) override;
    bool in_transaction() override { return !with_.get_autocommit(database_); }
    bool try_lock() override;

    sqlite3* handle() const noexcept { return database_; }
    const sqlite_library& library() const noexcept { return with_; }

private:
    statement_failure failure(std::string_view sql) const;
    std::optional<bool> may_be_null(sqlite3_stmt*, int column) const;

    const sqlite_library& with_;
    sqlite3* database_;
    std::string file_;
    int lock_ = -1;
};

/// Opens a file. Returns null if the file is missing and must not be created.
std::unique_ptr<sqlite_connection> open_sqlite_file(const std::string& file, missing);

}  // namespace apus::migrations
