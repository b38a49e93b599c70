// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/build_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/check.hpp"

namespace apus::cli::commands {

namespace check_detail {

constexpr operand operands[] = {{"PART", "the check to run (all)", operand_count::any, work::check_parts}};
constexpr option options[] = {
    preset_flag,
    {.name = "all", .summary = "lint and lifetimes: check all sources, not only changed sources"},
};
constexpr std::string_view examples[] = {"apus check", "apus check format rules", "apus check lint --all"};

int run(const arguments& given, context& in) {
    const auto parts = given.operands();
    return work::check({.preset = preset_of(given), .all = given.has("all"), .parts = {parts.begin(), parts.end()}},
                       in.shell)
               ? 0
               : 1;
}

}  // namespace check_detail

constinit const command check = {
    .name = "check",
    .group = "Work",
    .summary = "check format, rules, modules, lint, lifetimes, openapi and sql",
    .description =
        "format: the same as `apus fmt --check`. rules: the rules in `[check]` of apus.toml. modules: the same\n"
        "as `apus module check`. lint: clang-tidy on the sources that have changed according to git.\n"
        "lifetimes: references and views of coroutines that can outlive their objects, in the same sources.\n"
        "openapi: the program must be able to create its app, and the API description, if any, must be valid\n"
        "OpenAPI 3.1. sql: the same as `apus db check`, with --offline if statements.json exists; skipped\n"
        "without migrations. Prints all findings. The exit status is 1 if there are findings.",
    .operands = check_detail::operands,
    .options = check_detail::options,
    .examples = check_detail::examples,
    .run = check_detail::run,
};

}  // namespace apus::cli::commands
