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
    bool offline = false;   ///< Do not use the network.
    bool frozen = false;    ///< Write nothing; if a change is necessary, fail.
    bool packages = false;  ///< Install missing distribution packages that match.
};

/// Resolves the dependencies of apus.toml: by the distribution's packages, otherwise by Conan, or
/// from the named git repository.
class resolver {
public:
    resolver(const manifest::manifest& project, modes how, terminal::shell& shell);

    /// Returns the package for one dependency, followed by its own dependencies.
    /// Conan packages have no revision yet. Throws E0401, E0409, E0510.
    std::vector<locked> choose(const manifest::dependency& wanted, const lock& before);

    /// Returns a lock for all dependencies of apus.toml.
    /// Entries of `before` with equal requirements are kept, except names in `fresh`. `chosen` is the result of
    /// `choose` for one of these names, or empty.
    lock resolve(const std::vector<manifest::dependency>& wanted, const lock& before,
                 const std::vector<std::string>& fresh, std::vector<locked> chosen = {});

    /// Returns the latest available version of a package, even if it does not match the requirement;
    /// empty if unknown.
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
