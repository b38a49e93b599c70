// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/terminal/shell.hpp"

namespace apus::cli::commands {

class arguments;

/// An option of a command. Help, manual pages and completions are generated from it.
struct option {
    std::string_view name;     ///< "release" for --release.
    char letter = 0;           ///< 'r' for -r.
    std::string_view value{};  ///< Name of the argument in capitals ("DIR"), or choices ("a|b"); empty for a flag.
    std::string_view summary;  ///< Summary for help.
    bool repeats = false;      ///< May be repeated.
};

enum class operand_count {
    one,
    optional,
    any,
    at_least_one
};

/// A positional argument. Only a command's last operand may be repeated.
struct operand {
    std::string_view name;  ///< Name in capitals.
    std::string_view summary;
    operand_count count = operand_count::one;
    std::string_view choices{};  ///< "a|b", for completions and checks; empty: any value.
};

/// Context in which a command runs.
struct context {
    terminal::shell& shell;
};

/// A command: name, options, help texts and function. Each command has its own file in this folder.
struct command {
    std::string_view name;         ///< "new", or two words: "sdk install".
    std::string_view group;        ///< Heading in the help text.
    std::string_view summary;      ///< Summary in the help text.
    std::string_view description;  ///< Help text; `help_of` wraps it at 80 columns.
    std::span<const operand> operands;
    std::span<const option> options;
    std::span<const std::string_view> examples;
    bool has_program_arguments = false;      ///< Whether the command passes words after `--` to a program.
    int (*run)(const arguments&, context&);  ///< Returns the exit status.
};

/// Throws E0102 (exit status 2). Commands call it for missing or invalid arguments.
[[noreturn]] void misuse(std::string message, const command& of);

}  // namespace apus::cli::commands
