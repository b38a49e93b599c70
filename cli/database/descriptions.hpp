// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <apus/sql/inspection.hpp>

#include "cli/database/database.hpp"
#include "cli/database/recorded.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::database {

/// Descriptions of SQL statements, from a temporary database or from a recorded file.
class descriptions {
public:
    /// Creates a temporary database with all migrations, on the engine of the URL.
    /// If PostgreSQL cannot be reached, starts a temporary server. Throws E0901 to E0905.
    static descriptions of_database(const target&, terminal::shell&);

    /// Reads a recorded file.
    /// Throws E0908 if the file is missing, invalid or recorded with different migrations.
    static descriptions of_file(const std::filesystem::path& file, const std::string& folder);

    descriptions(descriptions&&) noexcept;
    descriptions& operator=(descriptions&&) = delete;
    ~descriptions();

    const std::string& engine() const noexcept { return engine_; }  ///< "sqlite" or "postgres".

    /// Returns the description of a statement, or the reason why the database rejects the statement.
    std::expected<sql::described_statement, std::string> describe(const std::string& sql);

    /// Writes all statements described so far to a file.
    void record(const std::filesystem::path& file, const std::string& folder) const;

private:
    descriptions();
    std::string refusal(const sql::refused_statement&);

    std::string engine_;
    std::unique_ptr<sql::statement_inspector> database_;  // null after `of_file`
    std::vector<recorded_statement> known_;               // sorted by text
    std::vector<std::string> names_;                      // names of tables and columns
};

}  // namespace apus::cli::database
