// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "cli/packaging/product.hpp"

namespace apus::cli::packaging {

/// Returns debian/copyright in machine-readable format, with the text of the project's license.
std::string copyright(const product& of);

/// Formats text for a multi-line field of a Debian control file.
/// Indents each line by a space, and replaces an empty line by a dot.
std::string indented(std::string_view text);

/// Returns a Debian changelog with this version.
std::string debian_changelog(const product& of);

/// Returns a manual page in man(7) format.
std::string manual_page(const product& of);

/// Compresses a text with gzip, without name and time in the header.
std::string gzipped(std::string content);

}  // namespace apus::cli::packaging
