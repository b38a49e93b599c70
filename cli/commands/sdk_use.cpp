// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/sdk_named.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {sdk_name};
constexpr std::string_view examples[] = {"apus sdk use 0.1.0-web"};

int run(const arguments& given, context& in) {
    const auto which = sdk_named(given.operand(0));
    installation::use(which);
    in.shell.event("Using", which.name + " in " + which.folder.parent_path().string());
    return 0;
}

}  // namespace

constinit const command sdk_use = {
    .name = "sdk use",
    .group = "SDK",
    .summary = "select the default SDK for projects",
    .description = "It is for projects that pin none: `[sdk]` of apus.toml names one by `version` and `profile`.",
    .operands = operands,
    .options = {},
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
