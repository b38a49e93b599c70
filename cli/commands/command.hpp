// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/terminal/shell.hpp"

namespace apus::cli::commands {

class arguments;

/// An option of a command. Help, manual pages and completions are made from these.
struct option {
    std::string_view name;     ///< "release" for --release.
    char letter = 0;           ///< 'r' for -r.
    std::string_view value{};  ///< What follows it, in capitals ("DIR"), or choices ("a|b"); empty for a flag.
    std::string_view summary;  ///< What it does, in a few words.
    bool repeats = false;      ///< May be given more than once.
};

enum class how_many {
    one,
    optional,
    any,
    at_least_one
};

/// A word that is no option. Only the last of a command may stand for many.
struct operand {
    std::string_view name;  ///< In capitals.
    std::string_view summary;
    how_many count = how_many::one;
    std::string_view choices{};  ///< "a|b", for completions and checks; empty: anything.
};

/// What a command may use.
struct context {
    terminal::shell& shell;
};

/// A command: all that is known of it, and what it does. One file each, in this folder.
struct command {
    std::string_view name;         ///< "new", or two words: "sdk install".
    std::string_view group;        ///< Under which heading help lists it.
    std::string_view summary;      ///< A line of help.
    std::string_view description;  ///< Paragraphs, in lines of at most 90 bytes.
    std::span<const operand> operands;
    std::span<const option> options;
    std::span<const std::string_view> examples;
    bool passes_on = false;                  ///< What stands behind `--` is for a program that it starts.
    int (*run)(const arguments&, context&);  ///< Gives the exit status.
};

/// What a command cannot do without is absent or wrong: E0102, exit status 2.
[[noreturn]] void misuse(std::string message, const command& of);

}  // namespace apus::cli::commands
