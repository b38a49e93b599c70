// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <apus/sql/inspection.hpp>

namespace apus::cli::database {

/// A statement with its description.
struct recorded_statement {
    std::string text;
    sql::described_statement is;
};

/// The content of `statements.json`.
struct recorded_statements {
    std::string engine;                          ///< "sqlite" or "postgres".
    std::string migrations;                      ///< Fingerprint of the migration files.
    std::vector<recorded_statement> statements;  ///< Sorted by text.
};

/// Parses the content of `statements.json`. `file` is the name for messages.
/// Throws E0908 if the content is invalid.
recorded_statements read_recorded(std::string_view json, std::string_view file);

/// Returns the content of `statements.json`, with one line per statement for readable diffs.
std::string text_of(const recorded_statements&);

}  // namespace apus::cli::database
