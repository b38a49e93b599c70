// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/sql/migrations.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apus::migrations {

/// A file for one direction of a migration.
struct script_file {
    std::string name{};  ///< "0001_create_notes.up.sql".
    std::string text{};  ///< Lines end in LF; no byte order mark.
    bool in_transaction = true;
};

/// A migration for one engine.
struct migration {
    std::uint64_t version = 0;
    std::string name{};  ///< "create_notes".
    script_file up{};
    script_file down{};      ///< empty name: the migration has no down file
    std::string checksum{};  ///< SHA-256 of `up.text` as 64 hexadecimal digits.
};

/// First line of a file that must not run in a transaction.
inline constexpr std::string_view no_transaction_line = "-- apus: no transaction";

/// Validates an engine's migrations and sorts them by version: no gaps, no duplicates.
/// `engine` is "sqlite" or "postgres".
std::vector<migration> arrange(std::span<const sql::migration_file>, std::string_view engine);

/// A file of a folder with its text.
struct read_file {
    std::string name;
    std::string text;
};

/// Reads all files of a folder except hidden files, *.md and seed.sql. Follows links to files.
std::vector<read_file> read_folder(const std::string& folder);

}  // namespace apus::migrations
