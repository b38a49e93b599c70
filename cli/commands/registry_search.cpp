// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/registries.hpp"

namespace apus::cli::commands {

namespace registry_search_detail {

constexpr operand operands[] = {{"PATTERN", "a name, with `*` for any characters"}};
constexpr option options[] = {{.name = "offline", .summary = "do not access the network"}};
constexpr std::string_view examples[] = {"apus registry search 'js*'"};

int run(const arguments& given, context& in) {
    in.shell.print(dependencies::search_registries(manifest::find(), std::string(given.operand(0)),
                                                   {.offline = given.has("offline")}, in.shell));
    return 0;
}

}  // namespace registry_search_detail

constinit const command registry_search = {
    .name = "registry search",
    .group = "Dependencies",
    .summary = "search all registries for packages",
    .description = "Prints each version that matches, with its registry.",
    .operands = registry_search_detail::operands,
    .options = registry_search_detail::options,
    .examples = registry_search_detail::examples,
    .run = registry_search_detail::run,
};

}  // namespace apus::cli::commands
