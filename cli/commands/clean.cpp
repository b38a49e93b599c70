// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/clean.hpp"

namespace apus::cli::commands {

namespace clean_detail {

constexpr option options[] = {
    {.name = "preset", .value = "NAME", .summary = "remove only the output of this preset"},
    {.name = "cache", .summary = "remove the programs cached by `apus run FILE` instead"},
};
constexpr std::string_view examples[] = {"apus clean", "apus clean --preset asan", "apus clean --cache"};

int run(const arguments& given, context& in) {
    work::clean({.preset = std::string(given.value("preset").value_or("")), .cache = given.has("cache")}, in.shell);
    return 0;
}

}  // namespace clean_detail

constinit const command clean = {
    .name = "clean",
    .group = "Work",
    .summary = "remove build output",
    .description = "Removes build/ of the project and prints the freed size.",
    .operands = {},
    .options = clean_detail::options,
    .examples = clean_detail::examples,
    .run = clean_detail::run,
};

}  // namespace apus::cli::commands
