// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace apus::cli::installation {

/// The installation by `./apus install --prefix PREFIX` to which the running program belongs.
struct installation {
    std::filesystem::path prefix;
    std::vector<std::filesystem::path> parts;  ///< Files and folders that belong only to Apus.
};

/// Returns the installation of a program in PREFIX/lib/apus/sdk/VERSION/bin.
/// Throws E0519 for a program in another folder.
installation of_program(const std::filesystem::path& own);

/// Removes the installation, the program last, and then empty parent folders.
/// Returns the number of bytes freed.
std::uintmax_t remove(const installation& what);

}  // namespace apus::cli::installation
