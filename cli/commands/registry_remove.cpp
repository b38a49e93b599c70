// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/registries.hpp"

namespace apus::cli::commands {

namespace registry_remove_detail {

constexpr operand operands[] = {{"NAME", "a registry"}};
constexpr std::string_view examples[] = {"apus registry remove ours"};

int run(const arguments& given, context& in) {
    dependencies::remove_registry(manifest::find(), std::string(given.operand(0)), in.shell);
    return 0;
}

}  // namespace registry_remove_detail

constinit const command registry_remove = {
    .name = "registry remove",
    .group = "Dependencies",
    .summary = "remove a registry from the project",
    .description = "Packages that were locked from the registry stay in apus.lock until they are updated.",
    .operands = registry_remove_detail::operands,
    .options = {},
    .examples = registry_remove_detail::examples,
    .run = registry_remove_detail::run,
};

}  // namespace apus::cli::commands
