// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/dependencies/known.hpp"
#include "cli/dependencies/programs.hpp"
#include "cli/dependencies/source.hpp"
#include "cli/manifest/dependencies.hpp"

namespace apus::cli::dependencies {

/// The distribution's packages, and whatever else pkg-config finds. Changes nothing and fetches nothing.
class system_source {
public:
    system_source(const programs& run, const known_libraries& library) : run_(run), library_(library) {}

    /// What is installed, if it is of a version that is wanted. Hashes that `before` has of the same packages are not
    /// looked up again, which takes apt a third of a second for each.
    offer find(const manifest::dependency& wanted, const lock& before) const;

    /// The latest version that the distribution would install; empty if there is none.
    std::string candidate(const std::string& debian_package) const;

private:
    manifest::dependency completed(manifest::dependency wanted) const;
    bool find_by_pkg_config(const manifest::dependency& wanted, locked& found) const;
    bool find_by_package(const manifest::dependency& wanted, locked& found) const;
    void describe(locked& found, const lock& before) const;
    void add_needed(const std::string& module, std::vector<std::string>& needs, std::vector<locked>& all,
                    const lock& before) const;
    offer absent(const manifest::dependency& wanted) const;

    const programs& run_;
    const known_libraries& library_;
};

/// The SPDX expression of the licences that a Debian copyright file names, best known first; empty if it
/// is not in the form that programs read.
std::string license_of_copyright(std::string_view text);

}  // namespace apus::cli::dependencies
