// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/errors/failure.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/modules/check.hpp"

namespace apus::cli::commands {

namespace {

constexpr std::string_view examples[] = {"apus module check"};

int run(const arguments&, context& in) {
    const auto found = modules::check(manifest::find().folder);
    std::string text;
    for (const auto& each : found) text += each.file + ":" + std::to_string(each.line) + ": " + each.text + "\n";
    in.shell.print(text);
    if (!found.empty())
        throw errors::failure("E0604",
                              found.size() == 1 ? "a border of modules is broken"
                                                : std::to_string(found.size()) + " borders of modules are broken",
                              "`apus explain E0604` says what is looked for");
    in.shell.event("Checked", "the modules: nothing found");
    return 0;
}

}  // namespace

constinit const command module_check = {
    .name = "module check",
    .group = "Modules",
    .summary = "check the borders between modules",
    .description =
        "Each finding is a line, FILE:LINE: SENTENCE, and the exit status is then 1. Found are cycles,\n"
        "needs that are not declared, not used or no module, private headers that others or public\n"
        "headers include, routes and prefixes that two have, prefixes that are mounted nowhere or\n"
        "elsewhere, and migrations without a number of their own. Of routes it knows what literals\n"
        "in the sources say.",
    .operands = {},
    .options = {},
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
