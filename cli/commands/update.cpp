// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "cli/commands/arguments.hpp"
#include "cli/commands/dependency_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/changes.hpp"

namespace apus::cli::commands {

namespace update_detail {

constexpr operand operands[] = {{"NAME", "a dependency", operand_count::any}};
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

}  // namespace update_detail

constinit const command update = {
    .name = "update",
    .group = "Dependencies",
    .summary = "update to the latest versions allowed by apus.toml",
    .description =
        "Updates the named dependencies, or all dependencies, to the latest versions that apus.toml allows:\n"
        "`fmt = \"9\"` excludes version 10. `apus outdated` lists later versions.",
    .operands = update_detail::operands,
    .options = update_detail::options,
    .examples = update_detail::examples,
    .run = update_detail::run,
};

}  // namespace apus::cli::commands
