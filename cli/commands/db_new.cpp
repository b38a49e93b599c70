// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/database_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace db_new_detail {

constexpr operand operands[] = {{"NAME", "a name that describes the migration, such as create_notes"}};
constexpr option options[] = {
    migrations_flag,
};
constexpr std::string_view examples[] = {"apus db new create_notes"};

int run(const arguments& given, context& in) {
    database::create(database::find_folder(given.value("migrations")), given.operand(0), in.shell);
    return 0;
}

}  // namespace db_new_detail

constinit const command db_new = {
    .name = "db new",
    .group = "Database",
    .summary = "create the files of the next migration",
    .description = "Creates NUMBER_NAME.up.sql and NUMBER_NAME.down.sql in the folder of the migrations.",
    .operands = db_new_detail::operands,
    .options = db_new_detail::options,
    .examples = db_new_detail::examples,
    .run = db_new_detail::run,
};

}  // namespace apus::cli::commands
