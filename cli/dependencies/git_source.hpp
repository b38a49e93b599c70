// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "cli/dependencies/programs.hpp"
#include "cli/dependencies/source.hpp"
#include "cli/manifest/dependencies.hpp"

namespace apus::cli::dependencies {

/// Dependencies from git repositories, each at a commit. The cache stores the files by commit.
class git_source {
public:
    git_source(const programs& run, bool offline) : run_(run), offline_(offline) {}

    /// Returns the commit of a tag or branch, or `rev` itself if it is a commit. Throws E0405, E0408.
    std::string commit_of(const std::string& url, const std::string& rev) const;

    /// Fetches the commit, and determines its license and CMake target.
    locked take(const manifest::dependency& wanted) const;

    /// Returns the folder with the files of a commit, which are fetched if they are not cached.
    /// Throws E0404 if the hash of the files differs from the hash in the lock.
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

/// Returns the SPDX identifier of a license text; empty if the license is unknown.
std::string license_of_text(std::string_view text);

/// Returns the CMake target to which users of a library link.
/// Returns the first alias, otherwise the library target called `name`, otherwise the first library target. Empty
/// without library targets.
std::string target_of(std::string_view cmake_lists, std::string_view name);

}  // namespace apus::cli::dependencies
