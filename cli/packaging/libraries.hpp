// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/packaging/product.hpp"

namespace apus::cli::packaging {

/// A shared library or the dynamic loader, with its path on this machine.
struct library {
    std::string path;              ///< Path at which programs look for it: "lib/x86_64-linux-gnu/libc.so.6".
    std::filesystem::path source;  ///< Its path on this machine.
    bool of_apus = false;          ///< libapus.so, which no distribution has, so packages contain it.
};

/// Returns all shared libraries that the program needs, transitively, sorted by path.
/// Runs no program, so it works for other machines too. Throws E0707 for a missing library, and for a program that does
/// not search libapus.so in its package's folder.
std::vector<library> libraries_of(const product& of);

/// Returns the libapus.so that the program is linked to, if any.
/// The caller stores it in `apus_library`.
std::optional<library> apus_library_of(const product& of);

/// Returns the folder of libapus.so in a package: "usr/lib/shop".
std::string apus_library_folder(const product& of);

/// Returns that folder as the program's run path: "$ORIGIN/../lib/shop".
std::string apus_library_path(const product& of);

/// A distribution package with those requested libraries that it contains.
/// Libraries without a package, or all on systems without dpkg, are in a part without a name.
struct part {
    std::string name{}, version{}, architecture{};
    std::vector<library> libraries{};
};

/// Returns the named packages that are installed, sorted by name.
std::vector<part> installed(const std::vector<std::string>& names);

/// Parses paragraphs of control files. Returns their packages, in order.
std::vector<part> packages_in(std::string_view control);

/// Returns the packages that contain these libraries, sorted by name.
std::vector<part> packages_of(const std::vector<library>& libraries);

}  // namespace apus::cli::packaging
