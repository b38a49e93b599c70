// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/reports.hpp"
#include "cli/manifest/manifest.hpp"

namespace apus::cli::commands {

namespace {

constexpr option options[] = {
    {.name = "json", .summary = "for programs"},
    {.name = "offline", .summary = "fetch nothing"},
};
constexpr std::string_view examples[] = {"apus outdated"};

int run(const arguments& given, context& in) {
    const auto found = dependencies::outdated(manifest::find(), {.offline = given.has("offline")}, in.shell);
    in.shell.print(dependencies::text_of(found, given.has("json")));
    if (found.empty()) in.shell.event("Checked", "each dependency is the latest");
    return found.empty() ? 0 : 1;
}

}  // namespace

constinit const command outdated = {
    .name = "outdated",
    .group = "Dependencies",
    .summary = "show which dependencies have later versions",
    .description =
        "Beside what is locked stands the latest that its source has, wanted or not. Exit status 1 if there\n"
        "is a later one.",
    .operands = {},
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
