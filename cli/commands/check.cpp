// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/build_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/checking.hpp"

namespace apus::cli::commands {

namespace {

constexpr option options[] = {
    preset_flag,
    {.name = "all", .summary = "look at every source, not only at changed ones"},
};
constexpr std::string_view examples[] = {"apus check", "apus check --all"};

int run(const arguments& given, context& in) { return work::check({.preset = preset_of(given), .all = given.has("all")}, in.shell) ? 0 : 1; }

}  // namespace

constinit const command check = {
    .name = "check",
    .group = "Work",
    .summary = "look for mistakes that compile",
    .description =
        "The layout (as `apus fmt --check`), clang-tidy over the sources that git says have changed, and\n"
        "whether the description of the app (OpenAPI), if it has one, can be made.",
    .operands = {},
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
