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

/// A registry as Conan knows it.
struct remote {
    std::string name;      ///< As in apus.toml; "conancenter" for the public one.
    std::string in_conan;  ///< Its name in the tool's CONAN_HOME, where each place has one of its own.
    std::string place;     ///< A folder or a URL.
    bool folder = false;   ///< Of recipes, rather than a server.
    std::string git{};     ///< The repository that the folder is a copy of.
};

/// Conan 2 in an environment of the tool's own, and with a CONAN_HOME of the tool's own.
class conan {
public:
    /// `registries` are asked in this order, and ConanCenter last. `project` is where their relative paths begin.
    conan(const programs& run, const std::vector<manifest::registry>& registries, std::filesystem::path project,
          bool offline);

    /// Every version that a registry has of a package. Throws E0405 where it does not answer.
    std::vector<std::string> versions(const remote& at, const std::string& name);

    /// "name/version" of all packages whose name matches a pattern with `*`.
    std::vector<std::string> search(const remote& at, const std::string& pattern);

    const std::vector<remote>& remotes() const noexcept { return remotes_; }

    /// Runs it, and gives what it writes to standard output. Throws E0405 where a server does not answer, E0408 else.
    std::string call(std::vector<std::string> words, std::string_view act);

    /// Tells Conan of a registry, and fetches one that is a git repository if it is not there.
    void use(const remote& at);

    /// Fetches what is new in a registry that is a git repository.
    void refresh(const remote& at);

    static std::filesystem::path home();

    /// Whether there is a Conan that can be asked without installing one first.
    static bool is_there();

private:
    void prepare();
    void install_environment();
    void clone(const remote& at);

    const programs& run_;
    std::vector<remote> remotes_;
    std::vector<std::string> program_{};  // how it is called
    std::filesystem::path project_;
    bool offline_;
    std::optional<system::folder_lock> alone_{};  // Conan itself is not made for two at once in one CONAN_HOME
};

}  // namespace apus::cli::dependencies
