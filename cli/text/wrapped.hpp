// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace apus::cli::text {

/// The words of a text in lines of at most 80 columns. Its first line begins in the column `indent`, where something
/// else
/// may stand before it, and the others get as many spaces. Empty lines stay. A word that is longer has a line of its
/// own.
std::string wrapped(std::string_view text, std::size_t indent);

}  // namespace apus::cli::text
