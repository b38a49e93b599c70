// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/diagnosis/report.hpp"

#include <array>
#include <span>
#include <string_view>

namespace apus::cli::diagnosis {

/// What a captured name is looked up as, and what that gives to fill in.
enum class lookup {
    none,
    header,         ///< `{header}` of a library: `{package}`, `{library}`
    newer_header,   ///< `{header}` of a C++ library newer than g++ 12's: `{instead}`
    symbol,         ///< `{symbol}`: `{package}`, `{library}`
    library,        ///< `{library}` as after -l: `{package}`
    cmake_package,  ///< `{name}` as in find_package: `{package}`, `{library}`
    pkg_config,     ///< `{name}` of a .pc file: `{package}`, `{library}`
    program,        ///< `{name}` of a command: `{package}`
    standard_name,  ///< `{name}` in std: `{header}`
    apus_name,      ///< `{name}` in apus: `{header}`
};

/// How one mistake is recognized and explained. `{...}` in texts is what patterns captured.
struct rule {
    std::string_view name;
    origin from = origin::compiler;
    std::array<std::string_view, 3> messages{};  ///< Patterns; one of them matches the message.
    std::string_view also{};                     ///< Pattern that a line of the report matches, if given.
    std::string_view what{};
    std::string_view fix{};
    lookup by = lookup::none;  ///< If nothing is found, the rule does not apply.
    bool alone = false;        ///< It often follows from another error, and is then left out.
    bool ends = false;         ///< What comes after it follows from it.
};

/// All rules, those that say most first: a report is explained by the first that matches.
std::span<const std::span<const rule>> all_rules();

std::span<const rule> api_rules();        ///< What Apus refuses by a sentence of its own.
std::span<const rule> coroutine_rules();  ///< Tasks, results and co_await.
std::span<const rule> name_rules();       ///< Headers and names that are not found.
std::span<const rule> language_rules();   ///< Other mistakes in C++.
std::span<const rule> warning_rules();    ///< Warnings that are errors.
std::span<const rule> link_rules();
std::span<const rule> build_rules();  ///< CMake, ninja, and how compilers are started.
std::span<const rule> run_rules();    ///< Sanitizers, and programs that end.

}  // namespace apus::cli::diagnosis
