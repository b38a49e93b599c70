// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "cli/commands/arguments.hpp"
#include "cli/commands/dependency_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/changes.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"NAME", "a dependency", how_many::any}};
constexpr option options[] = {
    offline_flag,
    packages_flag,
};
constexpr std::string_view examples[] = {"apus update", "apus update fmt"};

int run(const arguments& given, context& in) {
    const std::vector<std::string> names(given.operands().begin(), given.operands().end());
    dependencies::update(manifest::find(), names, modes_of(given), in.shell);
    return 0;
}

}  // namespace

constinit const command update = {
    .name = "update",
    .group = "Dependencies",
    .summary = "update to the latest versions allowed by apus.toml",
    .description =
        "Looks anew for the dependencies named, or for all. What is asked for in apus.toml stays: `fmt = \"9\"`\n"
        "takes no 10; `apus outdated` shows where there is one.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
