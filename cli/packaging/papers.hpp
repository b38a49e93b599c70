// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "cli/packaging/product.hpp"

namespace apus::cli::packaging {

/// debian/copyright in Debian's machine-readable form: the project's license, as far as it says one, with the text of
/// its LICENSE.
std::string copyright(const product& of);

/// Lines of a field of Debian: each with a space in front, and a dot in place of an empty one.
std::string indented(std::string_view text);

/// A changelog as Debian reads it, with this version.
std::string debian_changelog(const product& of);

/// A manual page in man(7).
std::string manual_page(const product& of);

/// Compressed by gzip, without a name or time of its own.
std::string gzipped(std::string content);

}  // namespace apus::cli::packaging
