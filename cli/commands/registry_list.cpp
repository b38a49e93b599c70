// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/registries.hpp"

namespace apus::cli::commands {

namespace registry_list_detail {

constexpr std::string_view examples[] = {"apus registry list"};

int run(const arguments& given, context& in) {
    static_cast<void>(given);
    in.shell.print(dependencies::list_of_registries(manifest::find()));
    return 0;
}

}  // namespace registry_list_detail

constinit const command registry_list = {
    .name = "registry list",
    .group = "Dependencies",
    .summary = "list the registries of the project",
    .description = "Lists the registries in the order in which they are searched.",
    .operands = {},
    .options = {},
    .examples = registry_list_detail::examples,
    .run = registry_list_detail::run,
};

}  // namespace apus::cli::commands
