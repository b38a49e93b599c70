// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/database_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace db_repair_detail {

constexpr option options[] = {
    database_url_flag,
    migrations_flag,
};
constexpr std::string_view examples[] = {"apus db repair"};

int run(const arguments& given, context& in) {
    database::repair(target_of(given), in.shell);
    return 0;
}

}  // namespace db_repair_detail

constinit const command db_repair = {
    .name = "db repair",
    .group = "Database",
    .summary = "accept changed files and forget unfinished migrations",
    .description =
        "Records the names and checksums of the current files. Unfinished migrations, which began outside a\n"
        "transaction, become pending again. Does not execute migrations.",
    .operands = {},
    .options = db_repair_detail::options,
    .examples = db_repair_detail::examples,
    .run = db_repair_detail::run,
};

}  // namespace apus::cli::commands
