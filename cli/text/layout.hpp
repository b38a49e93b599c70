// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace apus::cli::text {

/// Wraps text at 80 columns.
/// The first line starts at column `indent`; the following lines are indented by `indent` spaces. Keeps empty lines. A
/// word longer than a line is not broken.
std::string wrapped(std::string_view text, std::size_t indent);

/// Shortens paths below a folder: "FOLDER/src/app.cpp:3" becomes "src/app.cpp:3".
std::string with_short_paths(std::string_view text, const std::filesystem::path& folder);

}  // namespace apus::cli::text
