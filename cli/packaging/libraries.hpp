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
    std::string path;              ///< Path at which programs search for the library: "lib/x86_64-linux-gnu/libc.so.6".
    std::filesystem::path source;  ///< Path of the library on this machine.
    /// Whether this library is libapus.so.
    /// Packages contain libapus.so, since distributions do not provide it.
    bool of_apus = false;
};

/// Returns all shared libraries that the program needs, transitively, sorted by path.
/// Does not run the program, which may be for another architecture. Throws E0707 if a library is missing, or if the
/// program's run path does not contain the package's folder for libapus.so.
std::vector<library> libraries_of(const product& of);

/// Returns the libapus.so to which the program is linked, if any.
/// The caller stores a stripped copy in `product::apus_library`.
std::optional<library> apus_library_of(const product& of);

/// Returns the folder of libapus.so in a package: "usr/lib/shop".
std::string apus_library_folder(const product& of);

/// Returns the program's run path to this folder: "$ORIGIN/../lib/shop".
std::string apus_library_path(const product& of);

/// A distribution package with the requested libraries that it contains.
/// Libraries outside of packages are in a part without a name. On systems without dpkg, this part has all libraries.
struct part {
    std::string name{}, version{}, architecture{};
    std::vector<library> libraries{};
};

/// Returns the named packages that are installed, sorted by name.
std::vector<part> installed(const std::vector<std::string>& names);

/// Parses paragraphs of control files and returns their packages, in order.
std::vector<part> packages_in(std::string_view control);

/// Returns the packages that contain these libraries, sorted by name.
std::vector<part> packages_of(const std::vector<library>& libraries);

}  // namespace apus::cli::packaging
