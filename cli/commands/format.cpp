// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/format.hpp"

namespace apus::cli::commands {

namespace format_detail {

constexpr option options[] = {
    {.name = "check", .summary = "do not change files; the exit status is 1 if a file would change"},
};
constexpr std::string_view examples[] = {"apus fmt", "apus fmt --check"};

int run(const arguments& given, context& in) { return work::format(given.has("check"), in.shell) ? 0 : 1; }

}  // namespace format_detail

constinit const command format = {
    .name = "fmt",
    .group = "Work",
    .summary = "format the project's sources",
    .description = "Runs clang-format with the project's .clang-format on src, include, tests, modules and examples.",
    .operands = {},
    .options = format_detail::options,
    .examples = format_detail::examples,
    .run = format_detail::run,
};

}  // namespace apus::cli::commands
