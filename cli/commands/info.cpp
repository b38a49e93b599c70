// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/help.hpp"
#include "cli/commands/table.hpp"
#include "cli/doctor/information.hpp"

namespace apus::cli::commands {

namespace info_detail {

constexpr option options[] = {{.name = "json", .summary = "print a JSON object"}};
constexpr std::string_view examples[] = {"apus info", "apus info --json"};

int run(const arguments& given, context& in) {
    const std::string_view said = version_text();
    const auto about =
        doctor::collect_information(said.substr(said.find(' ') + 1, said.find('\n') - said.find(' ') - 1));
    in.shell.print(given.has("json") ? doctor::json_of(about) : doctor::text_of(about));
    return 0;
}

}  // namespace info_detail

constinit const command info = {
    .name = "info",
    .group = "Diagnostics",
    .summary = "show version, folders, SDKs and cache sizes",
    .description = "In a project, also shows the project's name and pinned SDK.",
    .operands = {},
    .options = info_detail::options,
    .examples = info_detail::examples,
    .run = info_detail::run,
};

}  // namespace apus::cli::commands
