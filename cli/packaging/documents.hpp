// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "cli/packaging/product.hpp"

namespace apus::cli::packaging {

/// Returns debian/copyright in machine-readable form: the project's license and the text of its
/// LICENSE.
std::string copyright(const product& of);

/// Formats a multi-line field of a Debian control file: each line is indented by a space, and an
/// empty line becomes a dot.
std::string indented(std::string_view text);

/// Returns a Debian changelog with this version.
std::string debian_changelog(const product& of);

/// Returns a manual page in man(7) format.
std::string manual_page(const product& of);

/// Compresses with gzip, without name and time in the header.
std::string gzipped(std::string content);

}  // namespace apus::cli::packaging
