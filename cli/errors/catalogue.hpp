// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace apus::cli::errors {

/// What `apus explain CODE` tells.
struct entry {
    std::string_view code;   ///< "E0101".
    std::string_view title;  ///< What is wrong, in a few words.
    std::string_view text;   ///< Why it happens and what to do, in lines of at most 90 bytes.
};

/// Every error of the tool, in order of code. E01xx: the command line and files; E02xx: the manifest
/// and the project; E03xx: building and running; E04xx: dependencies; E05xx: SDK; E06xx: modules;
/// E07xx: packages; E08xx: the machine.
std::span<const entry> catalogue() noexcept;

/// The entry of a code, or null.
const entry* find(std::string_view code) noexcept;

}  // namespace apus::cli::errors
