// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/manifest/document.hpp"

namespace apus::cli::manifest {

/// A requirement in `[dependencies]`. apus.lock records the chosen package.
struct dependency {
    std::string name;
    /// "9" or "9.1": any version with this prefix; ">=9.1": that version or later; "*": any version.
    std::string version = "*";
    std::string from{};        ///< "system", "conan" or "git"; empty: the tool chooses.
    std::string git{};         ///< URL of a git repository.
    std::string rev{};         ///< Commit, tag or branch of that repository.
    std::string package{};     ///< Key `system`: the distribution's package.
    std::string pkg_config{};  ///< pkg-config module.
    std::string cmake{};       ///< Name for find_package().
    std::string target{};      ///< CMake target to link.
    std::string license{};     ///< An SPDX expression, if the package does not declare it.
};

/// An entry of `[registries]`: a source of recipes. Registries are searched in order.
struct registry {
    std::string name;
    std::string where;  ///< A folder, a git repository ("git+..." or "...git") or a Conan server's URL.
};

std::vector<dependency> read_dependencies(table&& from);
std::vector<registry> read_registries(table&& from);

/// Returns why a value is invalid for a field of a dependency; empty if it is valid.
/// The text is the end of a sentence: "is `;`; it must not ...". `field` is a key of apus.toml, such as "version".
std::string dependency_objection(std::string_view field, std::string_view value);

/// Returns a requirement in the form of apus.lock, such as "9" or "10 from conan".
/// The tool compares these texts to detect changes of apus.toml.
std::string written(const dependency& of);

/// Returns the TOML value of a dependency: `"9"` or `{version = "10", from = "conan"}`.
std::string toml_of(const dependency& of);

/// Returns `text` as a TOML string.
std::string toml_string(std::string_view text);

/// Returns true for a valid name of a dependency or registry.
/// These names become part of paths and of CMake code.
bool is_dependency_name(std::string_view name) noexcept;

/// Returns true if a word is safe without quotes in CMake code and in command lines.
/// Such a word has no blanks, quotes, `;`, `$` or `\`, and does not begin with `-`.
bool is_plain_word(std::string_view word) noexcept;

/// Returns true for a full commit hash.
bool is_commit(std::string_view rev) noexcept;

}  // namespace apus::cli::manifest
