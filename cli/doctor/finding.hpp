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
    std::string says;       ///< A sentence.
    std::string fix{};      ///< Shell command that fixes the problem; empty if there is none.
    std::string persist{};  ///< How to make the fix permanent across reboots; empty if nothing is needed.
    bool safe = false;      ///< `--fix` may run `fix`, which is then one program with arguments and without quotes.
};

using findings = std::vector<finding>;

/// Returns one line per finding, each followed by its fix, and a line with the counts.
std::string text_of(std::span<const finding>);

/// Returns the findings as a JSON object in one line: `findings`, `ok`, `warning`, `broken`.
std::string json_of(std::span<const finding>);

bool any_broken(std::span<const finding>);

/// Returns the commands that `--fix` runs: the safe ones, without duplicates.
/// Package installations are merged into one.
std::vector<std::vector<std::string>> safe_commands(std::span<const finding>);

/// Returns a finding with the command that sets a kernel parameter, and the way to make it
/// permanent.
finding of_setting(std::string_view about, std::string says, std::string_view name, std::string_view value);

/// Returns a finding with the command that installs packages.
finding of_package(std::string_view about, state, std::string says, std::string_view packages);

}  // namespace apus::cli::doctor
