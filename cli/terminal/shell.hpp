// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "cli/errors/failure.hpp"

namespace apus::cli::terminal {

enum class colors {
    automatic,  ///< On a terminal, unless NO_COLOR is set or TERM is "dumb".
    always,
    never
};

enum class loudness {
    quiet,  ///< Errors and what a command was asked for.
    normal,
    verbose  ///< Also each program that is started.
};

/// All that the tool prints goes through one of these. What a command was asked for goes to standard
/// output; everything else, to standard error, a line for each event.
class shell {
public:
    explicit shell(colors wanted = colors::automatic, loudness level = loudness::normal);

    /// "     Created project `x`": a word for what was done, and to what. Not if quiet.
    void event(std::string_view done, std::string_view to_what);
    /// As `event`, if verbose.
    void detail(std::string_view done, std::string_view to_what);
    /// Something is odd, but goes on.
    void warning(std::string_view text);
    /// What to do next. Not if quiet.
    void hint(std::string_view text);
    /// An error, with its code and what to do.
    void error(const errors::failure& why);
    /// A text that a command was asked for, to standard output, as it is. Throws E0104 to E0106 if it cannot be
    /// written, as on a full disk; a reader that has gone away is no error.
    void print(std::string_view text);
    /// What another program wrote to its standard output, to the tool's, as it is.
    void pass_on_output(std::string_view text);
    /// Text of another program, to standard error, as it is.
    void pass_on(std::string_view text);

    bool colored() const noexcept { return colored_; }
    loudness level() const noexcept { return level_; }

private:
    void line(std::string_view color, std::string_view head, std::string_view text);

    bool colored_;
    loudness level_;
};

}  // namespace apus::cli::terminal
