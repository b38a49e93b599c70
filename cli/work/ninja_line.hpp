// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::cli::work {

/// What a line of Ninja's output is to somebody who builds.
struct ninja_line {
    enum class kind {
        /// A file was compiled or a program linked: `done` and `what` say so, unless the next line is `failed`.
        step,
        silent,  ///< Ninja's own affair.
        failed,  ///< A step failed, and the next line is its command.
        text,    ///< What a compiler or a script said.
    };
    kind is = kind::text;
    std::string_view done{};  ///< "Compiled"
    std::string what{};       ///< "src/app.cpp"
};

/// Reads a line that Ninja printed for a build that CMake has made.
ninja_line read_ninja_line(std::string_view line);

}  // namespace apus::cli::work
