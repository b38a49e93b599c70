// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/reports.hpp"
#include "cli/manifest/manifest.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"NAME", "show only what this one needs", how_many::optional}};
constexpr option options[] = {
    {.name = "json", .summary = "for programs"},
};
constexpr std::string_view examples[] = {"apus tree"};

int run(const arguments& given, context& in) {
    const dependencies::lock all = dependencies::read_lock_of(manifest::find().folder);
    in.shell.print(given.has("json") ? dependencies::json_of(all)
                                     : dependencies::tree_of(all, std::string(given.operand(0))));
    return 0;
}

}  // namespace

constinit const command tree = {
    .name = "tree",
    .group = "Dependencies",
    .summary = "show the dependency tree",
    .description =
        "Read from apus.lock, which has what each package needs: Conan's graph, and what pkg-config requires.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
