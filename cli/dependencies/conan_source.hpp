// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "cli/dependencies/conan.hpp"
#include "cli/dependencies/lock.hpp"
#include "cli/dependencies/source.hpp"

namespace apus::cli::dependencies {

/// Packages built from recipes: Conan resolves, downloads and builds.
/// Each run of Conan takes half a second, so it runs only if its input has changed since its last run.
class conan_source {
public:
    conan_source(const programs& run, conan& engine, std::filesystem::path project)
        : run_(run), engine_(engine), project_(std::move(project)) {}

    /// Returns the latest matching version, from the first registry that has one.
    /// `name` is Conan's name of the package.
    offer find(const manifest::dependency& wanted, const std::string& name);

    /// Returns the latest version of a package in its registry; empty if there is none.
    std::string latest(const locked& one);

    /// Installs the Conan packages of `all`, and sets their revisions, licences, targets and
    /// dependencies. With `frozen`, cmake/conan.lock must already contain them. Throws E0403, E0404, E0408.
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
