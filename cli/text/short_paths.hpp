// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace apus::cli::text {

/// A text in which paths below a folder begin there: "FOLDER/src/app.cpp:3" is "src/app.cpp:3".
std::string with_short_paths(std::string_view text, const std::filesystem::path& folder);

}  // namespace apus::cli::text
