// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/database_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace db_dump_detail {

constexpr option options[] = {
    database_url_flag,
    migrations_flag,
};
constexpr std::string_view examples[] = {"apus db dump > app.sql"};

int run(const arguments& given, context& in) {
    database::dump(target_of(given), in.shell);
    return 0;
}

}  // namespace db_dump_detail

constinit const command db_dump = {
    .name = "db dump",
    .group = "Database",
    .summary = "print the database as SQL",
    .description = "Uses sqlite3 or pg_dump. The last line of a complete dump is `-- end of the dump`.",
    .operands = {},
    .options = db_dump_detail::options,
    .examples = db_dump_detail::examples,
    .run = db_dump_detail::run,
};

}  // namespace apus::cli::commands
