// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/database_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace db_backup_detail {

constexpr operand operands[] = {{"FILE", "the file to create or replace"}};
constexpr option options[] = {
    database_url_flag,
    migrations_flag,
};
constexpr std::string_view examples[] = {"apus db backup app.bak"};

int run(const arguments& given, context& in) {
    database::back_up(target_of(given), std::string(given.operand(0)), in.shell);
    return 0;
}

}  // namespace db_backup_detail

constinit const command db_backup = {
    .name = "db backup",
    .group = "Database",
    .summary = "copy a SQLite database that is in use",
    .description =
        "Copies a consistent snapshot, without uncommitted transactions. Replaces FILE when the copy is\n"
        "complete. For PostgreSQL, use pg_dump or pg_basebackup.",
    .operands = db_backup_detail::operands,
    .options = db_backup_detail::options,
    .examples = db_backup_detail::examples,
    .run = db_backup_detail::run,
};

}  // namespace apus::cli::commands
