// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/system/process.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::dependencies {

/// Runs other programs in the language C, so that what they say can be read; with -v each is shown.
class programs {
public:
    explicit programs(terminal::shell& shell) : shell_(shell) {}

    /// Runs one, whatever comes of it.
    system::outcome ask(system::invocation what) const;
    system::outcome ask(std::vector<std::string> words) const {
        return ask(system::invocation{.words = std::move(words)});
    }

    /// What it writes, without the line break at the end; empty if it failed or is not installed.
    std::string answer(std::vector<std::string> words) const;

    /// What it writes. Throws E0408 with its last words: "cannot ACT: ...", or E0405 where a server does not answer.
    std::string need(system::invocation what, std::string_view act) const;
    std::string need(std::vector<std::string> words, std::string_view act) const {
        return need(system::invocation{.words = std::move(words)}, act);
    }

    terminal::shell& shell() const noexcept { return shell_; }

private:
    terminal::shell& shell_;
};

/// Whether a program says that it could not reach a server.
bool is_about_the_network(std::string_view said) noexcept;

/// The last line that is not empty.
std::string_view last_line(std::string_view text);

/// The lines of a text, without line breaks.
std::vector<std::string_view> lines_of(std::string_view text);
std::vector<std::string_view> lines_of(std::string&&) = delete;  // which would be gone before its lines are read

/// The words between blanks.
std::vector<std::string_view> words_of(std::string_view line);

}  // namespace apus::cli::dependencies
