// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::cli::diagnosis {

/// Normalizes a line, so that one pattern matches all compilers and locales.
/// Removes colors and control characters, turns quotes into `'` and `> >` into `>>`, and truncates after 2000 bytes.
std::string plain(std::string_view line);

}  // namespace apus::cli::diagnosis
