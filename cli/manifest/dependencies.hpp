// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/manifest/document.hpp"

namespace apus::cli::manifest {

/// A line of `[dependencies]`: what is wanted. What is taken stands in apus.lock.
struct dependency {
    std::string name;
    std::string version = "*";  ///< "9" or "9.1": begins so; ">=9.1"; "*": any.
    std::string from{};         ///< "system", "conan" or "git"; empty: the tool chooses.
    std::string git{};          ///< The URL of a repository.
    std::string rev{};          ///< A commit, tag or branch of it.
    std::string package{};      ///< The key `system`: the distribution's package.
    std::string pkg_config{};   ///< A module of pkg-config.
    std::string cmake{};        ///< What find_package() is given.
    std::string target{};       ///< What CMake links.
    std::string license{};      ///< An SPDX expression, where nobody else says it.
};

/// A line of `[registries]`: where recipes come from, in the order in which they are asked.
struct registry {
    std::string name;
    std::string where;  ///< A folder, a git repository ("git+..." or "...git") or a Conan server's URL.
};

std::vector<dependency> read_dependencies(table&& from);
std::vector<registry> read_registries(table&& from);

/// A dependency as apus.lock keeps it to see whether apus.toml has changed: "9", "10 from conan".
std::string written(const dependency& of);

/// The value of its line in apus.toml: `"9"`, `{version = "10", from = "conan"}`.
std::string toml_of(const dependency& of);

/// `text` as a TOML string.
std::string toml_string(std::string_view text);

/// Whether a dependency or registry can be named so; these names end in paths and in CMake.
bool is_dependency_name(std::string_view name) noexcept;

/// Whether this can stand in CMake and on command lines as it is: no blanks, quotes, `;`, `$`, `\`, and
/// no `-` in front.
bool is_plain_word(std::string_view word) noexcept;

/// Whether a word is a commit's whole name.
bool is_commit(std::string_view rev) noexcept;

}  // namespace apus::cli::manifest
