// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace apus::cli::installation {

/// What `./apus install --prefix PREFIX` has made, and this program is a part of.
struct installation {
    std::filesystem::path prefix;
    std::vector<std::filesystem::path> parts;  ///< Files and folders that are there for Apus alone.
};

/// The installation of the program `own`, which is in PREFIX/lib/apus/sdk/VERSION/bin. Throws E0519 for one
/// that is anywhere else.
installation of_program(const std::filesystem::path& own);

/// Removes it, the program last, and folders of `lib` that are empty then. Gives the bytes freed.
std::uintmax_t remove(const installation& what);

}  // namespace apus::cli::installation
