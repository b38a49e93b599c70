// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/reports.hpp"

namespace apus::cli::commands {

namespace cache_detail {

constexpr option options[] = {
    {.name = "json", .summary = "print JSON"},
};
constexpr std::string_view examples[] = {"apus cache"};

int run(const arguments& given, context& in) {
    in.shell.print(dependencies::text_of(dependencies::cache_entries(), given.has("json")));
    return 0;
}

}  // namespace cache_detail

constinit const command cache = {
    .name = "cache",
    .group = "Dependencies",
    .summary = "show the contents and size of the cache",
    .description =
        "The tool removes the least recently used entries to keep the cache below 5 GiB, or below the size in\n"
        "APUS_CACHE_SIZE. It fetches or builds removed entries again when they are needed.",
    .operands = {},
    .options = cache_detail::options,
    .examples = cache_detail::examples,
    .run = cache_detail::run,
};

}  // namespace apus::cli::commands
