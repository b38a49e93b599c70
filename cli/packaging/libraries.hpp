// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/packaging/product.hpp"

namespace apus::cli::packaging {

/// A shared library, or the program that loads them, as it is on this machine.
struct library {
    std::string path;              ///< Where a program of the machine looks for it: "lib/x86_64-linux-gnu/libc.so.6".
    std::filesystem::path source;  ///< Where it is here.
    bool of_apus = false;          ///< libapus.so, which no distribution has: packages take it along.
};

/// All that the program needs at run time, with what those need; in order of path. Nothing is run to find it
/// out, so that it works for another machine's programs. Throws E0707 for one that is not here, and for a program that
/// does not look for libapus.so where its package has it.
std::vector<library> libraries_of(const product& of);

/// The libapus.so among them, if the program is linked with it. Who has asked keeps it in `apus_library`.
std::optional<library> apus_library_of(const product& of);

/// The folder in which a package has it: "usr/lib/shop".
std::string apus_library_folder(const product& of);

/// The same as the program looks for it: "$ORIGIN/../lib/shop".
std::string apus_library_path(const product& of);

/// A package of the distribution, and those of its libraries that were asked about. Libraries that dpkg knows no
/// package
/// of, or all where there is no dpkg, are of a part without a name.
struct part {
    std::string name{}, version{}, architecture{};
    std::vector<library> libraries{};
};

/// Those of these names that are installed here, in order of name.
std::vector<part> installed(const std::vector<std::string>& names);

/// Reads paragraphs of control files: the packages that they are about, in order.
std::vector<part> packages_in(std::string_view control);

/// The packages that these libraries are of, in order of name.
std::vector<part> packages_of(const std::vector<library>& libraries);

}  // namespace apus::cli::packaging
