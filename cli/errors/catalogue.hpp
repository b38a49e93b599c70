// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace apus::cli::errors {

/// Entry of `apus explain CODE`.
struct entry {
    std::string_view code;   ///< "E0101".
    std::string_view title;  ///< The error in a few words.
    std::string_view meaning;
    std::string_view causes;
    std::string_view fix;
    std::string_view example;  ///< A command or a line of a file that shows the error or its fix.
};

/// Returns every error of the tool, sorted by code.
/// E01xx: command line and files; E02xx: manifest and project; E03xx: building and running; E04xx: dependencies; E05xx:
/// SDK; E06xx: modules; E07xx: packages; E08xx: the machine; E09xx: databases.
std::span<const entry> catalogue() noexcept;

/// Returns the entry of a code, or null.
const entry* find(std::string_view code) noexcept;

}  // namespace apus::cli::errors
