// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/database_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace db_status_detail {

constexpr option options[] = {
    database_url_flag,
    migrations_flag,
};
constexpr std::string_view examples[] = {"apus db status"};

int run(const arguments& given, context& in) { return database::print_status(target_of(given), in.shell) ? 0 : 1; }

}  // namespace db_status_detail

constinit const command db_status = {
    .name = "db status",
    .group = "Database",
    .summary = "list the migrations and their states",
    .description = "The exit status is 1 if a migration is pending, unfinished, or was changed after it was applied.",
    .operands = {},
    .options = db_status_detail::options,
    .examples = db_status_detail::examples,
    .run = db_status_detail::run,
};

}  // namespace apus::cli::commands
