// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/cleaning.hpp"

namespace apus::cli::commands {

namespace {

constexpr option options[] = {
    {.name = "preset", .value = "NAME", .summary = "only what this preset has built"},
    {.name = "cache", .summary = "in place of it, the programs that `apus run FILE` keeps"},
};
constexpr std::string_view examples[] = {"apus clean", "apus clean --preset asan", "apus clean --cache"};

int run(const arguments& given, context& in) {
    work::clean({.preset = std::string(given.value("preset").value_or("")), .cache = given.has("cache")}, in.shell);
    return 0;
}

}  // namespace

constinit const command clean = {
    .name = "clean",
    .group = "Work",
    .summary = "remove build output",
    .description = "Removes build/ of the project, and says what that freed.",
    .operands = {},
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
