// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/database_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace db_reset_detail {

constexpr option options[] = {
    database_url_flag,
    migrations_flag,
    {.name = "yes", .letter = 'y', .summary = "do not ask for confirmation"},
};
constexpr std::string_view examples[] = {"apus db reset --yes"};

int run(const arguments& given, context& in) {
    database::reset(target_of(given), given.has("yes"), in.shell);
    return 0;
}

}  // namespace db_reset_detail

constinit const command db_reset = {
    .name = "db reset",
    .group = "Database",
    .summary = "remove all data and apply all migrations",
    .description =
        "Removes every table of a SQLite database, or the current schema of PostgreSQL. Asks for confirmation\non the "
        "terminal.",
    .operands = {},
    .options = db_reset_detail::options,
    .examples = db_reset_detail::examples,
    .run = db_reset_detail::run,
};

}  // namespace apus::cli::commands
