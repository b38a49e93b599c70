// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/reports.hpp"
#include "cli/manifest/manifest.hpp"

namespace apus::cli::commands {

namespace outdated_detail {

constexpr option options[] = {
    {.name = "json", .summary = "print JSON"},
    {.name = "offline", .summary = "do not access the network"},
};
constexpr std::string_view examples[] = {"apus outdated"};

int run(const arguments& given, context& in) {
    const auto found = dependencies::outdated(manifest::find(), {.offline = given.has("offline")}, in.shell);
    in.shell.print(dependencies::text_of(found, given.has("json")));
    if (found.empty()) in.shell.event("Checked", "all dependencies have their latest versions");
    return found.empty() ? 0 : 1;
}

}  // namespace outdated_detail

constinit const command outdated = {
    .name = "outdated",
    .group = "Dependencies",
    .summary = "show which dependencies have later versions",
    .description =
        "Prints the locked version of each dependency and the latest version at its source, even if apus.toml\n"
        "does not allow that version. The exit status is 1 if a dependency has a later version.",
    .operands = {},
    .options = outdated_detail::options,
    .examples = outdated_detail::examples,
    .run = outdated_detail::run,
};

}  // namespace apus::cli::commands
