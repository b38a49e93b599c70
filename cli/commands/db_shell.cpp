// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/database_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace db_shell_detail {

constexpr option options[] = {
    database_url_flag,
    migrations_flag,
};
constexpr std::string_view examples[] = {"apus db shell"};

int run(const arguments& given, context&) { database::open_shell(target_of(given)); }

}  // namespace db_shell_detail

constinit const command db_shell = {
    .name = "db shell",
    .group = "Database",
    .summary = "open sqlite3 or psql",
    .description = "Passes the password of a PostgreSQL URL in the environment, not in the command line.",
    .operands = {},
    .options = db_shell_detail::options,
    .examples = db_shell_detail::examples,
    .run = db_shell_detail::run,
};

}  // namespace apus::cli::commands
