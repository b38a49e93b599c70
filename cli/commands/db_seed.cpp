// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/database_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace db_seed_detail {

constexpr operand operands[] = {{"FILE", "the file to execute (seed.sql)", operand_count::optional}};
constexpr option options[] = {
    database_url_flag,
    migrations_flag,
};
constexpr std::string_view examples[] = {"apus db seed"};

int run(const arguments& given, context& in) {
    database::seed(target_of(given), given.operand(0).empty() ? std::nullopt : std::optional(given.operand(0)),
                   in.shell);
    return 0;
}

}  // namespace db_seed_detail

constinit const command db_seed = {
    .name = "db seed",
    .group = "Database",
    .summary = "execute seed.sql in one transaction",
    .description = "Executes seed.sql in the folder of the migrations, or FILE.",
    .operands = db_seed_detail::operands,
    .options = db_seed_detail::options,
    .examples = db_seed_detail::examples,
    .run = db_seed_detail::run,
};

}  // namespace apus::cli::commands
