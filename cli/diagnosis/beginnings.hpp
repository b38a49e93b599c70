// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/diagnosis/report.hpp"

#include <optional>
#include <string_view>

namespace apus::cli::diagnosis {

/// A report that a line begins.
struct begun_report {
    report first;
    bool is_error = true;  ///< False for a warning, whose lines are nobody else's either.
};

/// The report that a line begins, if it begins one.
std::optional<begun_report> beginning(std::string_view line);

/// Adds what CMake says below its first line: the message, then the calls that led there.
void add_cmake_line(report&, std::string_view line);

/// Adds what lld and mold say below their first line: who asks for a symbol.
void add_linker_line(report&, std::string_view line);

}  // namespace apus::cli::diagnosis
