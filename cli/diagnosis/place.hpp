// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace apus::cli::diagnosis {

/// A place in a source. Without a file it is nowhere.
struct place {
    std::string file;
    unsigned line = 0;    ///< From 1; 0: not known.
    unsigned column = 0;  ///< From 1; 0: not known.

    bool operator==(const place&) const = default;
};

/// "file:line:column", as far as it is known.
std::string text_of(const place&);

/// A place at the beginning of a line, and what stands behind it.
struct placed {
    place at;
    std::string_view rest;
};

/// Takes `file:line:`, `file:line:column:` or `file:line,` off the beginning of a line, and the space
/// behind it.
std::optional<placed> read_place(std::string_view line);

/// Takes a place that ends a line, as frames of a stack do: `in main /a/b.cpp:3:5`.
std::optional<place> place_at_end(std::string_view line);

/// Whether someone who writes an application may edit the file: it is none of the system's, of the
/// compiler's, of Apus or of another library that was fetched.
bool is_users(const place&);

}  // namespace apus::cli::diagnosis
