// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/dependencies/programs.hpp"
#include "cli/manifest/dependencies.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::dependencies {

/// A registry as a Conan remote.
struct remote {
    std::string name;      ///< Name in apus.toml; "conancenter" for ConanCenter.
    std::string in_conan;  ///< Name of the remote in the tool's CONAN_HOME, with a hash of the registry's location.
    std::string place;     ///< The folder of the registry or of its clone, or a URL.
    bool folder = false;   ///< True for a folder of recipes, false for a server.
    std::string git{};     ///< URL of the git repository that is cloned to the folder; empty for other registries.
};

/// Conan 2 in the tool's own Python environment, with the tool's own CONAN_HOME.
class conan {
public:
    /// Searches `registries` in this order, then ConanCenter.
    /// Relative locations of registries are relative to `project`.
    conan(const programs& run, const std::vector<manifest::registry>& registries, std::filesystem::path project,
          bool offline);

    /// Returns every version of a package in a registry. Throws E0405 if the registry does not respond.
    std::vector<std::string> versions(const remote& at, const std::string& name);

    /// Returns "name/version" for all packages that match a pattern with `*`.
    std::vector<std::string> search(const remote& at, const std::string& pattern);

    const std::vector<remote>& remotes() const noexcept { return remotes_; }

    /// Runs Conan and returns its standard output.
    /// Throws E0405 if a server does not respond, and E0408 for other errors.
    std::string call(std::vector<std::string> words, std::string_view act);

    /// Configures a registry as a Conan remote.
    /// Clones the registry if it is a git repository and not yet cloned.
    void use(const remote& at);

    /// Pulls the clone of a registry that is a git repository.
    void refresh(const remote& at);

    static std::filesystem::path home();

    /// Returns true if Conan is already installed.
    static bool is_there();

private:
    void prepare();
    void install_environment();
    void clone(const remote& at);

    const programs& run_;
    std::vector<remote> remotes_;
    std::vector<std::string> program_{};  // the command that starts Conan
    std::filesystem::path project_;
    bool offline_;
    std::optional<system::folder_lock> alone_{};  // Conan does not support concurrent use of a CONAN_HOME
};

}  // namespace apus::cli::dependencies
