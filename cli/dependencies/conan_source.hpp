// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "cli/dependencies/conan.hpp"
#include "cli/dependencies/lock.hpp"
#include "cli/dependencies/source.hpp"

namespace apus::cli::dependencies {

/// What recipes make: Conan resolves, fetches and builds. It is called only if what is asked of it differs from
/// the last time, since each call takes half a second.
class conan_source {
public:
    conan_source(const programs& run, conan& engine, std::filesystem::path project)
        : run_(run), engine_(engine), project_(std::move(project)) {}

    /// The latest version that is wanted, of the first registry that has one. `name` is Conan's.
    offer find(const manifest::dependency& wanted, const std::string& name);

    /// The latest version of a package in the registry it came from; empty if that has none.
    std::string latest(const locked& one);

    /// Has Conan get all packages of `all` that are its own, and completes them: revisions, licences, targets and
    /// what they need. With `frozen` cmake/conan.lock must already have them. Throws E0403, E0404, E0408.
    void install(lock& all, const lock& before, bool frozen);

private:
    void complete(lock& all, const lock& before) const;

    const programs& run_;
    conan& engine_;
    std::filesystem::path project_;
};

/// cmake/conanfile.py: what Conan is asked for; empty if nothing.
std::string conanfile_of(const lock& all);

}  // namespace apus::cli::dependencies
