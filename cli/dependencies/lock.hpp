// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::dependencies {

/// A package in apus.lock, with its version, source and the reason for its choice.
struct locked {
    std::string name;
    std::string wanted{};  ///< Requirement in apus.toml; empty for indirect dependencies.
    std::string source;    ///< "system", "conan" or "git".
    std::string version{};
    std::string from{};      ///< A registry's name, or a repository's URL.
    std::string package{};   ///< Package of the distribution, or "NAME/VERSION:ID" of Conan; otherwise empty.
    std::string revision{};  ///< Version of the distribution's package, revision of the Conan recipe, or git commit.
    std::string sha256{};    ///< Hash of the .deb, the recipe or the commit's files; empty if unknown.
    std::string license{};   ///< An SPDX expression; empty if unknown.
    std::string pkg_config{};
    std::string cmake{};  ///< Name for find_package(); preferred to the pkg-config module.
    std::string target{};
    std::string why{};
    std::vector<std::string> needs{};  ///< Names of the package's dependencies in the same lock.

    bool direct() const noexcept { return !wanted.empty(); }
    friend bool operator==(const locked&, const locked&) = default;
};

/// Content of apus.lock: every package, sorted by name.
using lock = std::vector<locked>;

/// Parses a lock. Throws E0402 if it is malformed.
lock read_lock(std::string_view text, std::string_view name);

/// Returns the lock of a project; empty if apus.lock does not exist.
lock read_lock_of(const std::filesystem::path& folder);

/// Returns the text of apus.lock. Equal packages give equal text.
std::string text_of(const lock& all);

/// Returns the package with this name, or null.
const locked* find(const lock& in, std::string_view name);

/// Returns the changes from one lock to another, one per line: "fmt 9.1.0 -> 9.1.1 (system)".
std::vector<std::string> differences(const lock& before, const lock& after);

}  // namespace apus::cli::dependencies
