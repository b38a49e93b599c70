// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/database_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace db_migrate_detail {

constexpr option options[] = {
    database_url_flag,
    migrations_flag,
    {.name = "to", .value = "VERSION", .summary = "the last version to apply (default: all)"},
    {.name = "dry-run", .summary = "print the statements without executing them"},
};
constexpr std::string_view examples[] = {"apus db migrate", "apus db migrate --to 3 --dry-run"};

int run(const arguments& given, context& in) {
    std::optional<std::uint64_t> to;
    if (given.has("to")) to = static_cast<std::uint64_t>(given.number("to", 1, LONG_MAX, 1));
    database::migrate(target_of(given), to, given.has("dry-run"), in.shell);
    return 0;
}

}  // namespace db_migrate_detail

constinit const command db_migrate = {
    .name = "db migrate",
    .group = "Database",
    .summary = "apply the pending migrations",
    .description =
        "Applies each migration in its own transaction, in order of version. Several processes may run this at\n"
        "the same time. A file that changed after it was applied is an error.",
    .operands = {},
    .options = db_migrate_detail::options,
    .examples = db_migrate_detail::examples,
    .run = db_migrate_detail::run,
};

}  // namespace apus::cli::commands
