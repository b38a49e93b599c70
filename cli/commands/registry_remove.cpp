// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/registries.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"NAME", "a registry"}};
constexpr std::string_view examples[] = {"apus registry remove ours"};

int run(const arguments& given, context& in) {
    dependencies::remove_registry(manifest::find(), std::string(given.operand(0)), in.shell);
    return 0;
}

}  // namespace

constinit const command registry_remove = {
    .name = "registry remove",
    .group = "Dependencies",
    .summary = "remove a registry from the project",
    .description = "What is locked from it stays in apus.lock until it is updated.",
    .operands = operands,
    .options = {},
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
