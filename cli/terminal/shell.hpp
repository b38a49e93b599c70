// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "cli/errors/failure.hpp"

namespace apus::cli::terminal {

enum class colors {
    automatic,  ///< Uses colors if the output is a terminal, NO_COLOR is not set and TERM is not "dumb".
    always,
    never
};

enum class verbosity {
    quiet,  ///< Only errors and requested output.
    normal,
    verbose  ///< Also prints each program that is started.
};

/// Prints all output of the tool.
/// Writes requested output to standard output, and everything else to standard error, one line per event.
class shell {
public:
    explicit shell(colors wanted = colors::automatic, verbosity level = verbosity::normal);

    /// Prints "     Created project `x`": a verb and its object. Silent with -q.
    void event(std::string_view done, std::string_view object);
    /// Prints like `event`, but only with -v.
    void detail(std::string_view done, std::string_view object);
    /// Prints a warning about a problem that does not stop the command.
    void warning(std::string_view text);
    /// Prints a hint for the next step. Silent with -q.
    void hint(std::string_view text);
    /// Prints an error with its code and hint.
    void error(const errors::failure& why);
    /// Prints requested output to standard output. Throws E0104 to E0106 on errors such as a full disk.
    /// A closed pipe is not an error.
    void print(std::string_view text);
    /// Copies the standard output of another program unchanged.
    void copy_output(std::string_view text);
    /// Copies text of another program to standard error unchanged.
    void copy_error(std::string_view text);

    bool colored() const noexcept { return colored_; }
    verbosity level() const noexcept { return level_; }

private:
    void line(std::string_view color, std::string_view head, std::string_view text);

    bool colored_;
    verbosity level_;
};

}  // namespace apus::cli::terminal
