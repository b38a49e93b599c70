// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/system/process.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::dependencies {

/// Runs programs in the C locale, so that their output can be parsed.
/// With -v, prints each command line.
class programs {
public:
    explicit programs(terminal::shell& shell) : shell_(shell) {}

    /// Runs a program and returns its outcome, even if it fails.
    system::outcome ask(system::invocation what) const;
    system::outcome ask(std::vector<std::string> words) const {
        return ask(system::invocation{.words = std::move(words)});
    }

    /// Returns a program's output without trailing blanks and line breaks.
    /// Empty if the program fails or is not installed.
    std::string answer(std::vector<std::string> words) const;

    /// Returns a program's output.
    /// Throws E0405 if a server does not respond, and E0408 for other failures. The message is "cannot ACT: ..." with
    /// the program's error.
    std::string need(system::invocation what, std::string_view act) const;
    std::string need(std::vector<std::string> words, std::string_view act) const {
        return need(system::invocation{.words = std::move(words)}, act);
    }

    terminal::shell& shell() const noexcept { return shell_; }

private:
    terminal::shell& shell_;
};

/// Returns true if the error message of a program reports a network error.
bool is_about_the_network(std::string_view said) noexcept;

/// Returns the last non-empty line.
std::string_view last_line(std::string_view text);

/// Returns the lines of a text, without line breaks.
std::vector<std::string_view> lines_of(std::string_view text);
std::vector<std::string_view> lines_of(std::string&&) = delete;  // the views would dangle

/// Returns the words of a line, separated by blanks.
std::vector<std::string_view> words_of(std::string_view line);

}  // namespace apus::cli::dependencies
