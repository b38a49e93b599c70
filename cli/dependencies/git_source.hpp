// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "cli/dependencies/programs.hpp"
#include "cli/dependencies/source.hpp"
#include "cli/manifest/dependencies.hpp"

namespace apus::cli::dependencies {

/// Repositories, each at a commit. What was fetched stays in the cache under the commit's name.
class git_source {
public:
    git_source(const programs& run, bool offline) : run_(run), offline_(offline) {}

    /// The commit that a tag or branch is now, or `rev` itself if it is one. Throws E0405, E0408.
    std::string commit_of(const std::string& url, const std::string& rev) const;

    /// Fetches what is wanted and looks at its licence and target.
    locked take(const manifest::dependency& wanted) const;

    /// The folder with the files of a commit, fetched if it is not in the cache. Throws E0404 if its files have
    /// another hash than the lock says.
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

/// The SPDX name of a licence's text, by the words that only it has; empty if it is none of the usual ones.
std::string license_of_text(std::string_view text);

/// The target that a library's CMakeLists.txt means for others: an alias, else a library of its name.
std::string target_of(std::string_view cmake_lists, std::string_view name);

}  // namespace apus::cli::dependencies
