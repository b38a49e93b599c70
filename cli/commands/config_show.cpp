// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/build_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/configuration.hpp"

namespace apus::cli::commands {

namespace config_show_detail {

constexpr option options[] = {preset_flag};
constexpr std::string_view examples[] = {"apus config show", "apus config show -- --config production.toml"};

int run(const arguments& given, context& in) {
    return work::print_configuration(preset_of(given), "--config-show", given.program_arguments(), in.shell);
}

}  // namespace config_show_detail

constinit const command config_show = {
    .name = "config show",
    .group = "Work",
    .summary = "print the configuration, with the source of each value",
    .description =
        "Builds the program and runs `PROGRAM --config-show` in the project's folder. Prints TOML without\n"
        "secrets. Words after `--` are passed to the program.",
    .operands = {},
    .options = config_show_detail::options,
    .examples = config_show_detail::examples,
    .has_program_arguments = true,
    .run = config_show_detail::run,
};

}  // namespace apus::cli::commands
