// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/diagnosis/report.hpp"

#include <array>
#include <span>
#include <string_view>

namespace apus::cli::diagnosis {

/// Table in which a captured name is looked up.
/// The comment of each table lists the name, then the captures that the table adds.
enum class lookup {
    none,
    header,         ///< `{header}` of a library: `{package}`, `{library}`
    newer_header,   ///< `{header}` that the C++ library of g++ 12 does not have: `{instead}`
    symbol,         ///< `{symbol}`: `{package}`, `{library}`
    library,        ///< `{library}` as given to -l: `{package}`
    cmake_package,  ///< `{name}` as given to find_package: `{package}`, `{library}`
    pkg_config,     ///< `{name}` of a .pc file: `{package}`, `{library}`
    program,        ///< `{name}` of a command: `{package}`
    standard_name,  ///< `{name}` in std: `{header}`
    apus_name,      ///< `{name}` in apus: `{header}`
};

/// Recognizes and explains one kind of error. `{...}` in `what` and `fix` refers to captures.
struct rule {
    std::string_view name;
    origin from = origin::compiler;
    std::array<std::string_view, 3> messages{};  ///< Patterns, one of which must match the message.
    /// Pattern that a line of the report must match; empty: no further condition.
    std::string_view also{};
    std::string_view what{};
    std::string_view fix{};
    lookup by = lookup::none;  ///< If this lookup finds nothing, the rule does not apply.
    bool alone = false;        ///< Explain the error only if no other error precedes it.
    bool ends = false;         ///< Later errors are consequences of this error.
};

/// All rules, the most specific first. The first rule that matches a report explains the report.
std::span<const std::span<const rule>> all_rules();

std::span<const rule> api_rules();        ///< Errors from static assertions of Apus.
std::span<const rule> coroutine_rules();  ///< Tasks, results and co_await.
std::span<const rule> name_rules();       ///< Headers and names that are not found.
std::span<const rule> language_rules();   ///< Other mistakes in C++.
std::span<const rule> warning_rules();    ///< Warnings that are errors.
std::span<const rule> link_rules();
std::span<const rule> build_rules();  ///< CMake, ninja, and how compilers are started.
std::span<const rule> run_rules();    ///< Sanitizers, and programs that ended abnormally.

}  // namespace apus::cli::diagnosis
