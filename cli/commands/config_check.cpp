// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/build_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/configuration.hpp"

namespace apus::cli::commands {

namespace config_check_detail {

constexpr option options[] = {preset_flag};
constexpr std::string_view examples[] = {"apus config check", "apus config check -- --config production.toml"};

int run(const arguments& given, context& in) {
    return work::print_configuration(preset_of(given), "--config-check", given.program_arguments(), in.shell);
}

}  // namespace config_check_detail

constinit const command config_check = {
    .name = "config check",
    .group = "Work",
    .summary = "check the configuration of the program",
    .description =
        "Builds the program and runs `PROGRAM --config-check` in the project's folder. Prints errors and\n"
        "warnings; the exit status is 2 for an invalid configuration. Words after `--` are passed to the program.",
    .operands = {},
    .options = config_check_detail::options,
    .examples = config_check_detail::examples,
    .has_program_arguments = true,
    .run = config_check_detail::run,
};

}  // namespace apus::cli::commands
