// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/diagnosis/place.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::cli::diagnosis {

/// Source of an error message.
enum class origin {
    compiler,  ///< `file:line: error:`
    contract,  ///< Message of a static_assert, or of an exception during constant evaluation.
    linker,    ///< ld, lld and mold
    cmake,
    tool,  ///< `name: error:`, from ninja or a compiler driver
    sanitizer,
    line,  ///< a known message of a program, a shell or the system
};

/// One error of a build or a program, with its related lines.
struct report {
    origin from;
    std::string message;             ///< One line, with ASCII quotes.
    place at;                        ///< Position in the message; may be in a library.
    place users;                     ///< First position in user code, if any.
    place includer{};                ///< Line of user code that included the header in `at`, if any.
    std::vector<std::string> lines;  ///< Context before the message, and lines after it.
    std::vector<std::pair<std::string, std::string>> details;  ///< Further captures for the explanation, by name.
};

/// Splits output of compilers, linkers, CMake, ninja, sanitizers and programs into reports.
/// Accepts arbitrary bytes. Keeps at most 32 reports of 400 lines, each truncated after 2000 bytes.
class reader {
public:
    /// Processes a line without its line break.
    void line(std::string_view);

    /// Returns the reports and resets the reader.
    std::vector<report> finish();

private:
    bool continues(std::string_view);
    bool begins(std::string_view);
    bool is_context(std::string_view);
    void open(report, std::string_view text);
    void attach(std::string_view);
    void find_includer();
    void close();

    std::vector<report> reports_;
    std::vector<std::string> context_;  // lines that g++ prints before an error, and ld before a symbol
    report current_{};
    std::string header_;  // file of the previous message; `includer_` is the line that included it
    place includer_{};
    bool open_ = false;
    bool serious_ = false;  // the current report is an error, not a warning
};

}  // namespace apus::cli::diagnosis
