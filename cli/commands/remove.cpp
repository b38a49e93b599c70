// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/changes.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"NAME", "a dependency", how_many::at_least_one}};
constexpr option options[] = {
    {.name = "offline", .summary = "fetch nothing"},
};
constexpr std::string_view examples[] = {"apus remove fmt"};

int run(const arguments& given, context& in) {
    const std::vector<std::string> names(given.operands().begin(), given.operands().end());
    dependencies::remove(manifest::find(), names, {.offline = given.has("offline")}, in.shell);
    return 0;
}

}  // namespace

constinit const command remove = {
    .name = "remove",
    .group = "Dependencies",
    .summary = "remove dependencies from the project",
    .description = "Takes their lines out of apus.toml, and what only they needed out of apus.lock.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
