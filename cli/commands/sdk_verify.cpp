// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/sdk_named.hpp"
#include "cli/commands/table.hpp"
#include "cli/sdk/contents.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {sdk_name};
constexpr std::string_view examples[] = {"apus sdk verify 0.1.0-web"};

int run(const arguments& given, context& in) {
    const auto which = sdk_named(given.operand(0));
    const auto different = sdk::differing(which.folder);
    std::string text;
    for (const std::string& each : different) text += each + "\n";
    in.shell.print(text);
    if (different.empty()) in.shell.event("Verified", which.name + ": every file is as it was installed");
    else in.shell.hint("install it again: what has changed would be in your programs");
    return different.empty() ? 0 : 1;
}

}  // namespace

constinit const command sdk_verify = {
    .name = "sdk verify",
    .group = "SDK",
    .summary = "verify the files of an SDK",
    .description = "Lists files that have changed, are missing or were not there, and ends with 1 if there are any.",
    .operands = operands,
    .options = {},
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
