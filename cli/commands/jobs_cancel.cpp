// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/jobs_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace jobs_cancel_detail {

constexpr operand operands[] = {{"ID", "id of the job"}};
constexpr option options[] = {database_url_flag};
constexpr std::string_view examples[] = {"apus jobs cancel 42"};

int run(const arguments& given, context& in) {
    jobs::cancel(url_of(given), id_of(given), in.shell);
    return 0;
}

}  // namespace jobs_cancel_detail

constinit const command jobs_cancel = {
    .name = "jobs cancel",
    .group = "Jobs",
    .summary = "cancel a waiting or running job",
    .description =
        "Deletes a waiting job. The node that runs a running job cancels its task, at the latest after a third\n"
        "of the lease.",
    .operands = jobs_cancel_detail::operands,
    .options = jobs_cancel_detail::options,
    .examples = jobs_cancel_detail::examples,
    .run = jobs_cancel_detail::run,
};

}  // namespace apus::cli::commands
