// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/jobs_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace jobs_show_detail {

constexpr operand operands[] = {{"ID", "id of the job"}};
constexpr option options[] = {database_url_flag};
constexpr std::string_view examples[] = {"apus jobs show 42"};

int run(const arguments& given, context& in) {
    jobs::show(url_of(given), id_of(given), in.shell);
    return 0;
}

}  // namespace jobs_show_detail

constinit const command jobs_show = {
    .name = "jobs show",
    .group = "Jobs",
    .summary = "show a job with its payload and errors",
    .description = "Prints all columns, the payload as stored, and one line per failed attempt.",
    .operands = jobs_show_detail::operands,
    .options = jobs_show_detail::options,
    .examples = jobs_show_detail::examples,
    .run = jobs_show_detail::run,
};

}  // namespace apus::cli::commands
