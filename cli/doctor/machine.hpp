// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace apus::cli::doctor {

/// Facts about the running system.
struct running_facts {
    int uring_error = 0;              ///< errno of io_uring_setup(2); 0 if the call succeeds.
    bool clock_synchronized = false;  ///< Whether adjtimex(2) reports a synchronized clock.
    bool superuser = false;
    /// LC_ALL, LC_CTYPE or LANG: the first of these that is set.
    std::string locale{};
    std::map<std::string, std::string, std::less<>> versions{};  ///< Version of each program in PATH: "19.1.7".
    std::set<std::string, std::less<>> miscompiling{};           ///< Compilers that miscompile coroutines.
};

/// Facts about a machine, and access to its files below a root.
/// The root may be the root folder of another system, such as a container image. `running` is then empty.
struct machine {
    std::filesystem::path root = "/";
    std::optional<running_facts> running{};
    std::uint64_t free_bytes = 0;  ///< Free space at the current folder, or at the root.

    /// Returns a file's text without trailing spaces and line breaks, or nothing if it cannot be read.
    std::optional<std::string> text(std::string_view path) const;
    /// Returns the number at the beginning of a file, or nothing.
    std::optional<std::uint64_t> number(std::string_view path) const;
    bool has(std::string_view path) const;
    /// Returns a numeric kernel parameter, by its sysctl(8) name: "net.core.somaxconn".
    std::optional<std::uint64_t> setting(std::string_view name) const;

    /// Returns true if a program of this name exists.
    bool has_program(std::string_view name) const;
    /// Returns the version of a program; "" if unknown.
    std::string version(std::string_view program) const;
    /// Returns the version of a library from its .pc file, or nothing.
    std::optional<std::string> library(std::string_view name) const;
    /// Soft and hard limit in a row of /proc/self/limits; 2^64-1 for "unlimited".
    struct limit {
        std::uint64_t soft = 0, hard = 0;
    };
    std::optional<limit> limit_of(std::string_view row) const;
};

/// Returns facts about this machine, from the kernel and from `--version` of each tool.
machine this_machine();

/// Returns the machine whose file system is in the folder `root`. Throws E0103 if the folder does
/// not exist.
machine machine_at(const std::filesystem::path& root);

/// Returns the first version in a text: "19.1.7" in "clang version 19.1.7 (1)"; otherwise "".
std::string version_in(std::string_view text);

/// Returns true if a version is unknown or at least `least`, compared number by number.
bool at_least(std::string_view version, std::string_view least);

}  // namespace apus::cli::doctor
