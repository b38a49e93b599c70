// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/dependencies/known.hpp"
#include "cli/dependencies/programs.hpp"
#include "cli/dependencies/source.hpp"
#include "cli/manifest/dependencies.hpp"

namespace apus::cli::dependencies {

/// Installed packages of the distribution and other pkg-config modules. Does not use the network.
class system_source {
public:
    system_source(const programs& run, const known_libraries& library) : run_(run), library_(library) {}

    /// Returns the installed package if its version matches.
    /// Reuses hashes in `before` for unchanged packages, since apt-cache takes a third of a second for each package.
    offer find(const manifest::dependency& wanted, const lock& before) const;

    /// Returns the version that apt would install; empty if the distribution does not have the package.
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

/// Returns the SPDX identifier of the first license in a Debian copyright file.
/// Empty if the file is not in the machine-readable format, or if the license is an expression.
std::string license_of_copyright(std::string_view text);

}  // namespace apus::cli::dependencies
