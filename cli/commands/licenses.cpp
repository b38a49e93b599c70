// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/bill.hpp"

namespace apus::cli::commands {

namespace licenses_detail {

constexpr std::string_view examples[] = {"apus licenses"};

int run(const arguments& given, context& in) {
    static_cast<void>(given);
    in.shell.print(dependencies::licenses_of(dependencies::read_lock_of(manifest::find().folder)));
    return 0;
}

}  // namespace licenses_detail

constinit const command licenses = {
    .name = "licenses",
    .group = "Dependencies",
    .summary = "list the licenses of the dependencies",
    .description =
        "Prints the SPDX expressions recorded in apus.lock. Packages without a known license are listed last.",
    .operands = {},
    .options = {},
    .examples = licenses_detail::examples,
    .run = licenses_detail::run,
};

}  // namespace apus::cli::commands
