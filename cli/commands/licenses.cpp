// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/bill.hpp"

namespace apus::cli::commands {

namespace {

constexpr std::string_view examples[] = {"apus licenses"};

int run(const arguments& given, context& in) {
    static_cast<void>(given);
    in.shell.print(dependencies::licenses_of(dependencies::read_lock_of(manifest::find().folder)));
    return 0;
}

}  // namespace

constinit const command licenses = {
    .name = "licenses",
    .group = "Dependencies",
    .summary = "list the licences of the dependencies",
    .description =
        "From apus.lock: SPDX expressions, as the sources of the packages tell them. What nobody tells stands last.",
    .operands = {},
    .options = {},
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
