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
    bool offline = false;   ///< Nothing is fetched.
    bool frozen = false;    ///< Nothing is written: what would be is an error.
    bool packages = false;  ///< Packages of the distribution that would do and are missing are installed.
};

/// Finds what apus.toml asks for: in the distribution, else by Conan, else in the git repository it names.
class resolver {
public:
    resolver(const manifest::manifest& project, modes how, terminal::shell& shell);

    /// The source's package for one dependency, with those that it needs behind it. Conan's have no revision yet.
    /// Throws E0401, E0409, E0510.
    std::vector<locked> choose(const manifest::dependency& wanted, const lock& before);

    /// A lock for all that apus.toml asks for. What `before` has for the same words is kept, but for the names in
    /// `fresh`.
    lock resolve(const std::vector<manifest::dependency>& wanted, const lock& before,
                 const std::vector<std::string>& fresh);

    /// The latest version that there is for a package, wanted or not; empty if nobody can say.
    std::string latest(const locked& one);

    /// Puts git's packages where cmake/dependencies.cmake looks for them.
    void link_sources(const lock& all);

    conan& engine() noexcept { return engine_; }
    const programs& run() const noexcept { return run_; }

private:
    std::string conan_name(const std::string& name) const;
    offer find_in_system(const manifest::dependency& wanted, const lock& before);
    void refuse_misspelt(const manifest::dependency& wanted, const std::string& why_not) const;
    [[noreturn]] void refuse_absent(const manifest::dependency& wanted, const offer& system) const;
    bool is_still_right(const manifest::dependency& wanted, const lock& before, std::vector<locked>& found);
    void forget_pins(const std::vector<std::string>& names);

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
