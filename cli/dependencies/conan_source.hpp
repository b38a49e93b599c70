// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "cli/dependencies/conan.hpp"
#include "cli/dependencies/lock.hpp"
#include "cli/dependencies/source.hpp"

namespace apus::cli::dependencies {

/// Packages built from recipes: Conan resolves, downloads and builds.
/// Runs Conan only if its input has changed after the last run, because each run takes half a second.
class conan_source {
public:
    conan_source(const programs& run, conan& engine, std::filesystem::path project)
        : run_(run), engine_(engine), project_(std::move(project)) {}

    /// Returns the latest matching version, from the first registry that has a matching version.
    /// `name` is Conan's name of the package.
    offer find(const manifest::dependency& wanted, const std::string& name);

    /// Returns the latest version of a package in its registry; empty if the registry has none.
    std::string latest(const locked& one);

    /// Installs the Conan packages of `all`; sets their revisions, licenses, targets and dependencies.
    /// With `frozen`, cmake/conan.lock must already contain the packages (otherwise E0403). Throws E0404 for a changed
    /// recipe, and E0408 if Conan fails.
    void install(lock& all, const lock& before, bool frozen);

private:
    void complete(lock& all, const lock& before) const;

    const programs& run_;
    conan& engine_;
    std::filesystem::path project_;
};

/// Returns the text of cmake/conanfile.py, the input of Conan; empty without Conan packages.
std::string conanfile_of(const lock& all);

}  // namespace apus::cli::dependencies
