// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/build_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/configuration.hpp"

namespace apus::cli::commands {

namespace config_example_detail {

constexpr option options[] = {preset_flag};
constexpr std::string_view examples[] = {"apus config example > shop.toml"};

int run(const arguments& given, context& in) {
    return work::print_configuration(preset_of(given), "--config-example", {}, in.shell);
}

}  // namespace config_example_detail

constinit const command config_example = {
    .name = "config example",
    .group = "Work",
    .summary = "print a configuration file with all settings in comments",
    .description =
        "Builds the program and runs `PROGRAM --config-example`. The file has the rules, the defaults and the\n"
        "descriptions of all settings.",
    .operands = {},
    .options = config_example_detail::options,
    .examples = config_example_detail::examples,
    .run = config_example_detail::run,
};

}  // namespace apus::cli::commands
