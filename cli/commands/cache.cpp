// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/reports.hpp"

namespace apus::cli::commands {

namespace {

constexpr option options[] = {
    {.name = "json", .summary = "for programs"},
};
constexpr std::string_view examples[] = {"apus cache"};

int run(const arguments& given, context& in) {
    in.shell.print(dependencies::text_of(dependencies::cache_content(), given.has("json")));
    return 0;
}

}  // namespace

constinit const command cache = {
    .name = "cache",
    .group = "Dependencies",
    .summary = "show the contents and size of the cache",
    .description =
        "Each part can be fetched or made again. It is kept below 5 GiB, or the size in APUS_CACHE_SIZE, by\n"
        "giving up what was used longest ago.",
    .operands = {},
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
