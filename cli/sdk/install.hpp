// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/terminal/shell.hpp"

namespace apus::cli::sdk {

/// Options of `apus sdk install`.
struct install_options {
    std::string what;  ///< A package file; with a mirror, the name of an SDK.
    std::optional<std::string> mirror{};
    std::optional<std::filesystem::path> key{};
    bool use = false;
    bool packages = false;  ///< Whether to install missing system packages.
};

/// Installs an SDK into the first writable store.
/// Prints the missing system packages, or installs them if `packages` is set. Throws E0510 if their installation fails.
void install(const install_options& asked, terminal::shell& shell);

/// A checkout of Apus to build an SDK from.
struct source {
    std::filesystem::path checkout;
    std::string profile = "full";
    std::vector<std::string> components{};  ///< Components of a profile that the project defines.
    bool use = false;
    bool packages = false;
};

/// Builds an SDK with the checkout's `./apus install`; installs it into the first writable store.
/// Throws E0508 if the folder is not a checkout, and E0509 if the build fails.
void build_and_install(const source& asked, terminal::shell& shell);

/// Installs and selects the mirror's newest SDK of the current profile.
/// Changes nothing if the SDK in use is the newest. Throws E0502 if no SDK is in use.
void upgrade(const std::string& mirror, const std::optional<std::filesystem::path>& key, bool dry_run,
             terminal::shell& shell);

}  // namespace apus::cli::sdk
