// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/diagnosis/report.hpp"

#include <optional>
#include <string_view>

namespace apus::cli::diagnosis {

/// A report that starts at a line.
struct report_start {
    report first;
    bool is_error = true;  ///< False for a warning. Warnings start reports, since more lines may belong to them.
};

/// Returns the report that a line starts; empty if it does not start one.
std::optional<report_start> find_report_start(std::string_view line);

/// Adds further lines of a CMake error: the message, then the call stack.
void add_cmake_line(report&, std::string_view line);

/// Adds further lines of an lld or mold error: the references to a symbol.
void add_linker_line(report&, std::string_view line);

}  // namespace apus::cli::diagnosis
