// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace apus::cli::installation {

/// An installation by `./apus install --prefix PREFIX`, which includes the running program.
struct installation {
    std::filesystem::path prefix;
    std::vector<std::filesystem::path> parts;  ///< Files and folders that belong only to Apus.
};

/// Returns the installation of a program in PREFIX/lib/apus/sdk/VERSION/bin.
/// Throws E0519 otherwise.
installation of_program(const std::filesystem::path& own);

/// Removes the installation, the program last, and then empty parent folders.
/// Returns the bytes freed.
std::uintmax_t remove(const installation& what);

}  // namespace apus::cli::installation
