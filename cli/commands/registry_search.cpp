// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/registries.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"PATTERN", "a name, with `*` for any letters"}};
constexpr option options[] = {{.name = "offline", .summary = "fetch nothing"}};
constexpr std::string_view examples[] = {"apus registry search 'js*'"};

int run(const arguments& given, context& in) {
    in.shell.print(dependencies::search_registries(manifest::find(), std::string(given.operand(0)),
                                                   {.offline = given.has("offline")}, in.shell));
    return 0;
}

}  // namespace

constinit const command registry_search = {
    .name = "registry search",
    .group = "Dependencies",
    .summary = "search all registries for packages",
    .description = "Each version that there is, with its registry.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
