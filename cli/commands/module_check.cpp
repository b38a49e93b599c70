// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/errors/failure.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/modules/check.hpp"

namespace apus::cli::commands {

namespace module_check_detail {

constexpr std::string_view examples[] = {"apus module check"};

int run(const arguments&, context& in) {
    const auto found = modules::check(manifest::find().folder);
    std::string text;
    for (const auto& each : found) text += each.file + ":" + std::to_string(each.line) + ": " + each.text + "\n";
    in.shell.print(text);
    if (!found.empty())
        throw errors::failure("E0604",
                              found.size() == 1 ? "1 violation of module boundaries"
                                                : std::to_string(found.size()) + " violations of module boundaries",
                              "`apus explain E0604` lists the checks");
    in.shell.event("Checked", "the modules: no violations");
    return 0;
}

}  // namespace module_check_detail

constinit const command module_check = {
    .name = "module check",
    .group = "Modules",
    .summary = "check the boundaries between modules",
    .description =
        "Prints each violation as FILE:LINE: MESSAGE. The exit status is 1 if there are violations. Reports\n"
        "cycles; undeclared, unused and unknown needs; private headers included by other modules or by public\n"
        "headers; duplicate routes and prefixes; modules that are not mounted, or mounted at another path; and\n"
        "migrations with a missing or duplicate number. Checks only routes whose paths are string literals.",
    .operands = {},
    .options = {},
    .examples = module_check_detail::examples,
    .run = module_check_detail::run,
};

}  // namespace apus::cli::commands
