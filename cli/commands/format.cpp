// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/formatting.hpp"

namespace apus::cli::commands {

namespace {

constexpr option options[] = {
    {.name = "check", .summary = "change nothing, and end with 1 if a file would change"},
};
constexpr std::string_view examples[] = {"apus fmt", "apus fmt --check"};

int run(const arguments& given, context& in) { return work::format(given.has("check"), in.shell) ? 0 : 1; }

}  // namespace

constinit const command format = {
    .name = "fmt",
    .group = "Work",
    .summary = "format the project's sources",
    .description = "By clang-format and the project's .clang-format: src, include, tests, modules and examples.",
    .operands = {},
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
