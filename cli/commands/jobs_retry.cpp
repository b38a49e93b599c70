// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/jobs_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace jobs_retry_detail {

constexpr operand operands[] = {{"ID", "id of the job", operand_count::optional}};
constexpr option options[] = {database_url_flag, jobs_queue_flag, jobs_kind_flag};
constexpr std::string_view examples[] = {"apus jobs retry 42", "apus jobs retry --kind send_receipt"};

int run(const arguments& given, context& in) {
    jobs::retry(url_of(given), changed_by(given), in.shell);
    return 0;
}

}  // namespace jobs_retry_detail

constinit const command jobs_retry = {
    .name = "jobs retry",
    .group = "Jobs",
    .summary = "run dead letters and delayed jobs now",
    .description =
        "Selects the job ID, or the dead letters that match the options. ID or an option is required. Dead\n"
        "letters get new attempts. Does not retry a dead letter if another job has the same unique key.",
    .operands = jobs_retry_detail::operands,
    .options = jobs_retry_detail::options,
    .examples = jobs_retry_detail::examples,
    .run = jobs_retry_detail::run,
};

}  // namespace apus::cli::commands
