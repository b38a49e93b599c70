// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/terminal/shell.hpp"

namespace apus::cli::sdk {

/// What `apus sdk install` is asked for.
struct wish {
    std::string what;  ///< A package's file; with a mirror, an SDK's name.
    std::optional<std::string> mirror{};
    std::optional<std::filesystem::path> key{};
    bool use = false;
    bool packages = false;  ///< Install what is missing of the system.
};

/// Installs it into the first store that can be written to, and says which packages of the system are missing, or
/// installs these. Throws E0510 where it cannot.
void bring(const wish& asked, terminal::shell& shell);

/// An SDK that is to be made of a checkout of Apus.
struct source {
    std::filesystem::path checkout;
    std::string profile = "full";
    std::vector<std::string> components{};  ///< Of a profile that the checkout does not know.
    bool use = false;
    bool packages = false;
};

/// Builds it by the checkout's `./apus install`, into the first store that can be written to. Throws E0508 for
/// what is no checkout, and E0509 if it fails.
void build_and_bring(const source& asked, terminal::shell& shell);

/// Installs the newest SDK that the mirror has of the profile in use, if it is newer, and uses it. Throws E0502 if
/// none is in use.
void upgrade(const std::string& mirror, const std::optional<std::filesystem::path>& key, bool only_say,
             terminal::shell& shell);

}  // namespace apus::cli::sdk
