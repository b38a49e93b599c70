// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/sdk_named.hpp"
#include "cli/commands/table.hpp"
#include "cli/sdk/contents.hpp"

namespace apus::cli::commands {

namespace sdk_verify_detail {

constexpr operand operands[] = {sdk_name};
constexpr std::string_view examples[] = {"apus sdk verify 0.1.0-web"};

int run(const arguments& given, context& in) {
    const auto which = sdk_named(given.operand(0));
    const auto different = sdk::changed_files(which.folder);
    std::string text;
    for (const std::string& each : different) text += each + "\n";
    in.shell.print(text);
    if (different.empty()) in.shell.event("Verified", which.name + ": all files match their hashes");
    else in.shell.hint("install the SDK again: otherwise the changed files become part of your programs");
    return different.empty() ? 0 : 1;
}

}  // namespace sdk_verify_detail

constinit const command sdk_verify = {
    .name = "sdk verify",
    .group = "SDK",
    .summary = "verify the files of an SDK",
    .description = "Lists changed, missing and unknown files. The exit status is 1 if there are such files.",
    .operands = sdk_verify_detail::operands,
    .options = {},
    .examples = sdk_verify_detail::examples,
    .run = sdk_verify_detail::run,
};

}  // namespace apus::cli::commands
