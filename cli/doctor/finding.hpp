// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::doctor {

enum class state {
    ok,
    worth_mending,  ///< It works, but slower, or not for long.
    broken,         ///< What the doctor was asked about does not work.
};

/// One thing that was looked at.
struct finding {
    std::string_view about;  ///< A word or two: "io_uring".
    state is = state::ok;
    std::string says;    ///< A sentence.
    std::string mend{};  ///< The command that mends it, for a shell, or nothing.
    std::string keep{};  ///< What makes that last beyond the next start of the machine, where it would not.
    bool safe = false;   ///< `--fix` may run `mend`, which is a program and words without quotes.
};

using findings = std::vector<finding>;

/// A line for each, with the command that mends it below, and a line that counts.
std::string text_of(std::span<const finding>);

/// The same as a JSON object in one line: `findings`, `ok`, `worth_mending`, `broken`.
std::string json_of(std::span<const finding>);

/// Whether one is broken.
bool any_broken(std::span<const finding>);

/// What `--fix` runs: the safe commands, each once; those that install packages become one.
std::vector<std::vector<std::string>> safe_commands(std::span<const finding>);

/// A finding with the command that sets a value of the kernel, and what keeps it.
finding of_setting(std::string_view about, std::string says, std::string_view name, std::string_view value);

/// A finding with the command that installs packages.
finding of_package(std::string_view about, state, std::string says, std::string_view packages);

}  // namespace apus::cli::doctor
