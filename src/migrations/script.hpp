// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace apus::migrations {

/// A statement of a script.
struct script_statement {
    std::string_view text;  ///< Without leading comments and the final semicolon.
    std::size_t line = 1;   ///< Line on which `text` begins.
};

/// How an engine parses strings and comments.
enum class dialect : unsigned char {
    sqlite,
    postgres  ///< With $tag$ strings, E'' strings and nested comments.
};

/// Splits a script into statements.
/// Ignores semicolons in strings, identifiers, comments, parentheses, and bodies of triggers and functions. An
/// unterminated string or comment extends to the end.
std::vector<script_statement> split_script(std::string_view script, dialect);

/// Whether a statement begins or ends a transaction: begin, commit, end, rollback, abort, start.
bool controls_transaction(std::string_view statement) noexcept;

}  // namespace apus::migrations
