// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/dependencies/conan_source.hpp"
#include "cli/dependencies/git_source.hpp"
#include "cli/dependencies/known.hpp"
#include "cli/dependencies/system_source.hpp"
#include "cli/manifest/manifest.hpp"

namespace apus::cli::dependencies {

struct modes {
    bool offline = false;   ///< Whether to avoid the network.
    bool frozen = false;    ///< Whether to fail with E0403 if a file would change.
    bool packages = false;  ///< Whether to install missing packages of the distribution.
};

/// Resolves the dependencies of apus.toml.
/// Uses packages of the distribution, otherwise of Conan, or the git repository in apus.toml.
class resolver {
public:
    resolver(const manifest::manifest& project, modes how, terminal::shell& shell);

    /// Returns the package for one dependency, followed by its own dependencies.
    /// Conan packages have no revision yet. Throws E0401 if no source has the dependency, and E0409 or E0510 if a
    /// package of the distribution is not installed.
    std::vector<locked> choose(const manifest::dependency& wanted, const lock& before);

    /// Returns a lock for all dependencies of apus.toml.
    /// Keeps entries of `before` with equal requirements, except names in `fresh`. `chosen` is the result of `choose`
    /// for one of these names, or empty.
    lock resolve(const std::vector<manifest::dependency>& wanted, const lock& before,
                 const std::vector<std::string>& fresh, std::vector<locked> chosen = {});

    /// Returns the latest available version of a package, or an empty string.
    /// The version may violate the requirement in apus.toml.
    std::string latest(const locked& one);

    /// Links git packages to the paths that cmake/dependencies.cmake uses.
    void link_sources(const lock& all);

    conan& engine() noexcept { return engine_; }
    const programs& run() const noexcept { return run_; }

private:
    std::string conan_name(const std::string& name) const;
    offer find_in_system(const manifest::dependency& wanted, const lock& before);
    void reject_misspelled(const manifest::dependency& wanted, const std::string& reason) const;
    [[noreturn]] void reject_missing(const manifest::dependency& wanted, const offer& system) const;
    bool is_still_valid(const manifest::dependency& wanted, const lock& before, std::vector<locked>& found);
    void clear_pins(const std::vector<std::string>& names);

    const manifest::manifest& project_;
    modes how_;
    programs run_;
    known_libraries library_;
    system_source system_;
    git_source git_;
    conan engine_;
    conan_source conan_;
};

}  // namespace apus::cli::dependencies
