// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/terminal/shell.hpp"

namespace apus::cli::sdk {

/// What `apus sdk install` is asked for.
struct wish {
    std::string what;                     ///< A package's file; with a mirror, an SDK's name.
    std::optional<std::string> mirror{};
    std::optional<std::filesystem::path> key{};
    bool use = false;
};

/// Installs it into the first store that can be written to, and says which packages of the system are missing.
void bring(const wish& asked, terminal::shell& shell);

/// Installs the newest SDK that the mirror has of the profile in use, if it is newer, and uses it. Throws E0502 if none is in use.
void upgrade(const std::string& mirror, const std::optional<std::filesystem::path>& key, bool only_say, terminal::shell& shell);

}  // namespace apus::cli::sdk
