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

/// What only a running system can tell. Nothing of it is known of another root.
struct running_facts {
    int uring_error = 0;              ///< errno of io_uring_setup(2); 0: it works.
    bool clock_synchronized = false;  ///< By adjtimex(2).
    bool superuser = false;
    std::string locale{};                                        ///< LC_ALL, LC_CTYPE or LANG, whichever counts.
    std::map<std::string, std::string, std::less<>> versions{};  ///< "19.1.7" of each program that PATH has.
    std::set<std::string, std::less<>> miscompiling{};           ///< The compilers of these that miscompile coroutines.
};

/// A machine as the doctor sees it: files below a root, and facts. The root of another system, such as
/// that of a container's image, can be looked at too.
struct machine {
    std::filesystem::path root = "/";
    std::optional<running_facts> running{};
    std::uint64_t free_bytes = 0;  ///< Of the file system of the current folder, or of the root.

    /// A file's text without white space at its end, or nothing.
    std::optional<std::string> text(std::string_view path) const;
    /// The first number in a file, or nothing.
    std::optional<std::uint64_t> number(std::string_view path) const;
    bool has(std::string_view path) const;
    /// A number that sysctl(8) names: "net.core.somaxconn".
    std::optional<std::uint64_t> setting(std::string_view name) const;

    /// Whether there is a program of that name.
    bool has_program(std::string_view name) const;
    /// Its version, or "" where that is not known.
    std::string version(std::string_view program) const;
    /// The version of a library by its .pc file, or nothing.
    std::optional<std::string> library(std::string_view name) const;
    /// Soft and hard limit of a row of /proc/self/limits, with 2^64-1 for "unlimited".
    struct limit {
        std::uint64_t soft = 0, hard = 0;
    };
    std::optional<limit> limit_of(std::string_view row) const;
};

/// The machine that this runs on: asks the kernel, and each tool for its version.
machine this_machine();

/// The files of another system. Throws E0103 if there is no such folder.
machine machine_at(const std::filesystem::path& root);

/// The first number with dots in a text: "19.1.7" of "clang version 19.1.7 (1)"; "" without one.
std::string version_in(std::string_view text);

/// Whether a version is at least `least`, compared number by number. An unknown one is.
bool at_least(std::string_view version, std::string_view least);

}  // namespace apus::cli::doctor
