// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/cache.hpp"

namespace apus::cli::commands {

namespace cache_gc_detail {

constexpr option options[] = {
    {.name = "keep", .value = "SIZE", .summary = "maximum size of the remaining entries (0)"},
};
constexpr std::string_view examples[] = {"apus cache gc --keep 2G"};

int run(const arguments& given, context& in) {
    const auto freed = dependencies::evict_cache(dependencies::parse_size(given.value("keep").value_or("0")), in.shell);
    in.shell.event("Freed", dependencies::size_text(freed));
    return 0;
}

}  // namespace cache_gc_detail

constinit const command cache_gc = {
    .name = "cache gc",
    .group = "Dependencies",
    .summary = "remove the least recently used cache entries",
    .description = "The tool fetches removed entries again when they are needed.",
    .operands = {},
    .options = cache_gc_detail::options,
    .examples = cache_gc_detail::examples,
    .run = cache_gc_detail::run,
};

}  // namespace apus::cli::commands
