// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/jobs_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace jobs_schema_detail {

constexpr option options[] = {
    database_url_flag,
    {.name = "from", .value = "VERSION", .summary = "change existing tables of this version (1 or 2)"}};
constexpr std::string_view examples[] = {"apus jobs schema > migrations/0002_jobs.up.sql",
                                         "apus jobs schema --from 2 > migrations/0003_lanes_of_jobs.up.sql"};

int run(const arguments& given, context& in) {
    jobs::print_schema(url_of(given), static_cast<int>(given.number("from", 1, 2, 0)), in.shell);
    return 0;
}

}  // namespace jobs_schema_detail

constinit const command jobs_schema = {
    .name = "jobs schema",
    .group = "Jobs",
    .summary = "print the SQL that creates the tables of jobs",
    .description =
        "For a migration, if the program does not call apus::jobs::migrate. The database URL selects the engine.",
    .operands = {},
    .options = jobs_schema_detail::options,
    .examples = jobs_schema_detail::examples,
    .run = jobs_schema_detail::run,
};

}  // namespace apus::cli::commands
