// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/jobs_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace jobs_list_detail {

constexpr option options[] = {database_url_flag,
                              jobs_queue_flag,
                              jobs_kind_flag,
                              jobs_state_flag,
                              {.name = "limit", .value = "COUNT", .summary = "maximum number of jobs (50)"}};
constexpr std::string_view examples[] = {"apus jobs list --state dead", "apus jobs list --queue mail --limit 10"};

int run(const arguments& given, context& in) {
    jobs::list(url_of(given), selection_of(given), static_cast<unsigned>(given.number("limit", 1, 10'000, 50)),
               in.shell);
    return 0;
}

}  // namespace jobs_list_detail

constinit const command jobs_list = {
    .name = "jobs list",
    .group = "Jobs",
    .summary = "list background jobs, the newest first",
    .description = "Lists waiting and running jobs, and dead letters. Completed jobs are not listed: they are deleted.",
    .operands = {},
    .options = jobs_list_detail::options,
    .examples = jobs_list_detail::examples,
    .run = jobs_list_detail::run,
};

}  // namespace apus::cli::commands
