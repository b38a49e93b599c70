// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/build_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/checking.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"PART", "what to look at; without one, everything", how_many::any, work::check_parts}};
constexpr option options[] = {
    preset_flag,
    {.name = "all", .summary = "let clang-tidy read every source, not only changed ones"},
};
constexpr std::string_view examples[] = {"apus check", "apus check format rules", "apus check lint --all"};

int run(const arguments& given, context& in) {
    const auto parts = given.operands();
    return work::check({.preset = preset_of(given), .all = given.has("all"), .parts = {parts.begin(), parts.end()}},
                       in.shell)
               ? 0
               : 1;
}

}  // namespace

constinit const command check = {
    .name = "check",
    .group = "Work",
    .summary = "check format, rules, modules, lint and openapi",
    .description =
        "format: the layout, as `apus fmt --check`. rules: those of `[check]` in apus.toml. modules: their\n"
        "borders, as `apus module check`. lint: clang-tidy over the sources that git says have changed.\n"
        "openapi: whether the app can be made, and whether its description, if it has one, is valid\n"
        "OpenAPI 3.1. All that is found is shown before it ends with 1.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
