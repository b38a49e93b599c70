// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/jobs_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace jobs_purge_detail {

constexpr operand operands[] = {{"ID", "id of the dead letter", operand_count::optional}};
constexpr option options[] = {database_url_flag, jobs_queue_flag, jobs_kind_flag};
constexpr std::string_view examples[] = {"apus jobs purge 42", "apus jobs purge --queue mail"};

int run(const arguments& given, context& in) {
    jobs::purge(url_of(given), changed_by(given), in.shell);
    return 0;
}

}  // namespace jobs_purge_detail

constinit const command jobs_purge = {
    .name = "jobs purge",
    .group = "Jobs",
    .summary = "delete dead letters",
    .description =
        "Deletes the dead letter ID, or all dead letters that the options select. ID or an option is "
        "required.",
    .operands = jobs_purge_detail::operands,
    .options = jobs_purge_detail::options,
    .examples = jobs_purge_detail::examples,
    .run = jobs_purge_detail::run,
};

}  // namespace apus::cli::commands
