// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::dependencies {

/// A package in apus.lock: version, source, and why it is needed.
struct locked {
    std::string name;
    std::string wanted{};  ///< Requirement in apus.toml; empty for indirect dependencies.
    std::string source;    ///< "system", "conan" or "git".
    std::string version{};
    std::string from{};      ///< A registry's name, or a repository's URL.
    std::string package{};   ///< Name of the distribution's package; empty if there is none.
    std::string revision{};  ///< Version of the distribution's package, revision of the Conan recipe, or git commit.
    std::string sha256{};    ///< Hash of the .deb, the recipe or the commit's files; empty if unknown.
    std::string license{};   ///< An SPDX expression; empty if unknown.
    std::string pkg_config{};
    std::string cmake{};  ///< Name for find_package(); used if there is no pkg-config module.
    std::string target{};
    std::string why{};
    std::vector<std::string> needs{};  ///< Names of its dependencies in the same lock.

    bool direct() const noexcept { return !wanted.empty(); }
    friend bool operator==(const locked&, const locked&) = default;
};

/// Content of apus.lock: every package, sorted by name.
using lock = std::vector<locked>;

/// Parses a lock. Throws E0402 if it is malformed.
lock read_lock(std::string_view text, std::string_view name);

/// Returns the lock of a project; empty if it has none.
lock read_lock_of(const std::filesystem::path& folder);

/// Returns the text of apus.lock. Equal packages give equal text.
std::string text_of(const lock& all);

/// Returns the package with this name, or null.
const locked* find(const lock& in, std::string_view name);

/// Returns the changes from one lock to another, one per line: "fmt 9.1.0 -> 9.1.1 (system)".
std::vector<std::string> differences(const lock& before, const lock& after);

}  // namespace apus::cli::dependencies
