// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::dependencies {

/// A package as apus.lock has it: what was taken, and why.
struct locked {
    std::string name;
    std::string wanted{};  ///< What apus.toml said; empty: another package needs it.
    std::string source;    ///< "system", "conan" or "git".
    std::string version{};
    std::string from{};      ///< A registry's name, or a repository's URL.
    std::string package{};   ///< The distribution's package; empty: it is of none.
    std::string revision{};  ///< Its version; Conan's recipe revision; a commit.
    std::string sha256{};    ///< Of the .deb, of the recipe, or of the commit's files. May be unknown.
    std::string license{};   ///< An SPDX expression. May be unknown.
    std::string pkg_config{};
    std::string cmake{};  ///< What find_package() is given, where there is no module of pkg-config.
    std::string target{};
    std::string why{};
    std::vector<std::string> needs{};  ///< Names of packages in the same lock.

    bool direct() const noexcept { return !wanted.empty(); }
    friend bool operator==(const locked&, const locked&) = default;
};

/// apus.lock: every package, by name.
using lock = std::vector<locked>;

/// Reads a lock. Throws E0402 for what the tool does not write.
lock read_lock(std::string_view text, std::string_view name);

/// That of a project, empty if there is none.
lock read_lock_of(const std::filesystem::path& folder);

/// The text of apus.lock: the same for the same packages.
std::string text_of(const lock& all);

/// The package of a name, or null.
const locked* find(const lock& in, std::string_view name);

/// What has changed from one lock to another, a line each: "fmt 9.1.0 -> 9.1.1 (system)".
std::vector<std::string> differences(const lock& before, const lock& after);

}  // namespace apus::cli::dependencies
