// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/reports.hpp"
#include "cli/manifest/manifest.hpp"

namespace apus::cli::commands {

namespace tree_detail {

constexpr operand operands[] = {{"NAME", "show only the dependencies of this package", operand_count::optional}};
constexpr option options[] = {
    {.name = "json", .summary = "print JSON"},
};
constexpr std::string_view examples[] = {"apus tree"};

int run(const arguments& given, context& in) {
    const dependencies::lock all = dependencies::read_lock_of(manifest::find().folder);
    in.shell.print(given.has("json") ? dependencies::json_of(all)
                                     : dependencies::tree_of(all, std::string(given.operand(0))));
    return 0;
}

}  // namespace tree_detail

constinit const command tree = {
    .name = "tree",
    .group = "Dependencies",
    .summary = "show the dependency tree",
    .description = "Reads apus.lock, which records the dependencies of each package that Conan and pkg-config report.",
    .operands = tree_detail::operands,
    .options = tree_detail::options,
    .examples = tree_detail::examples,
    .run = tree_detail::run,
};

}  // namespace apus::cli::commands
