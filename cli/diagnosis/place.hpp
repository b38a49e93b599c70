// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace apus::cli::diagnosis {

/// A place in a source file. An empty `file` means unknown.
struct place {
    std::string file;
    unsigned line = 0;    ///< Counted from 1; 0: unknown.
    unsigned column = 0;  ///< Counted from 1; 0: unknown.

    bool operator==(const place&) const = default;
};

/// Returns "file:line:column", without unknown parts.
std::string text_of(const place&);

/// A position at the beginning of a line, and the rest of the line.
struct placed {
    place at;
    std::string_view rest;
};

/// Parses `file:line:`, `file:line:column:` or `file:line,` at the beginning of a line.
/// `rest` of the result begins after the spaces that follow.
std::optional<placed> read_place(std::string_view line);

/// Parses a place at the end of a line, as in stack frames: `in main /a/b.cpp:3:5`.
std::optional<place> place_at_end(std::string_view line);

/// Returns true if the file belongs to the user's project.
/// Returns false for files of the system, the compiler, Apus and fetched libraries.
bool is_users(const place&);

}  // namespace apus::cli::diagnosis
