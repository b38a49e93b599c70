// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/changes.hpp"

namespace apus::cli::commands {

namespace remove_detail {

constexpr operand operands[] = {{"NAME", "a dependency", operand_count::at_least_one}};
constexpr option options[] = {
    {.name = "offline", .summary = "do not access the network"},
};
constexpr std::string_view examples[] = {"apus remove fmt"};

int run(const arguments& given, context& in) {
    const std::vector<std::string> names(given.operands().begin(), given.operands().end());
    dependencies::remove(manifest::find(), names, {.offline = given.has("offline")}, in.shell);
    return 0;
}

}  // namespace remove_detail

constinit const command remove = {
    .name = "remove",
    .group = "Dependencies",
    .summary = "remove dependencies from the project",
    .description = "Removes the dependencies from apus.toml and apus.lock, with the packages that only they needed.",
    .operands = remove_detail::operands,
    .options = remove_detail::options,
    .examples = remove_detail::examples,
    .run = remove_detail::run,
};

}  // namespace apus::cli::commands
