// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "cli/dependencies/programs.hpp"
#include "cli/dependencies/source.hpp"
#include "cli/manifest/dependencies.hpp"

namespace apus::cli::dependencies {

/// Dependencies from git repositories, each at a commit. The cache keeps the files, keyed by
/// commit.
class git_source {
public:
    git_source(const programs& run, bool offline) : run_(run), offline_(offline) {}

    /// Returns the commit of a tag or branch, or `rev` itself if it is a commit. Throws E0405, E0408.
    std::string commit_of(const std::string& url, const std::string& rev) const;

    /// Fetches the commit, and determines its licence and CMake target.
    locked take(const manifest::dependency& wanted) const;

    /// Returns the folder with the files of a commit; fetches them if they are not cached.
    /// Throws E0404 if their hash differs from the one in the lock.
    std::filesystem::path checkout(const locked& one) const;

private:
    struct files {
        std::filesystem::path folder;
        std::string sha256;
    };
    files fetch(const std::string& url, const std::string& commit) const;
    std::string git(std::vector<std::string> words, std::string_view act) const;

    const programs& run_;
    bool offline_;
};

/// Returns the SPDX identifier of a licence text; empty if it is not a common licence.
std::string license_of_text(std::string_view text);

/// Returns the CMake target that a library offers to its users: an alias, otherwise a library
/// target with its name.
std::string target_of(std::string_view cmake_lists, std::string_view name);

}  // namespace apus::cli::dependencies
