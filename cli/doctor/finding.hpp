// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::doctor {

enum class state {
    ok,
    warning,  ///< Works, but slowly or with a risk.
    broken,   ///< Does not work.
};

/// The result of one check.
struct finding {
    std::string_view about;  ///< Subject in a word or two: "io_uring".
    state is = state::ok;
    std::string says;       ///< The result, as part of a sentence: "not installed".
    std::string fix{};      ///< Shell command that fixes the problem; empty if no command fixes it.
    std::string persist{};  ///< Command or change that keeps the fix after a reboot; empty if not needed.
    bool safe = false;      ///< Whether `--fix` may run `fix`: one program with arguments, without quotes.
};

using findings = std::vector<finding>;

/// Returns one line per finding, each followed by its fix, and a line with the counts.
std::string text_of(std::span<const finding>);

/// Returns the findings as a JSON object in one line: `findings`, `ok`, `warning`, `broken`.
std::string json_of(std::span<const finding>);

bool any_broken(std::span<const finding>);

/// Returns the commands that `--fix` runs: the safe commands, without duplicates.
/// Merges all installations of packages into one command.
std::vector<std::vector<std::string>> safe_commands(std::span<const finding>);

/// Returns a warning with the commands that set a kernel parameter now and after each reboot.
finding of_setting(std::string_view about, std::string says, std::string_view name, std::string_view value);

/// Returns a finding with the command that installs packages.
finding of_package(std::string_view about, state, std::string says, std::string_view packages);

}  // namespace apus::cli::doctor
