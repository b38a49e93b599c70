// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/build_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/configuration.hpp"

namespace apus::cli::commands {

namespace config_schema_detail {

constexpr option options[] = {preset_flag};
constexpr std::string_view examples[] = {"apus config schema > shop.schema.json"};

int run(const arguments& given, context& in) {
    return work::print_configuration(preset_of(given), "--config-schema", {}, in.shell);
}

}  // namespace config_schema_detail

constinit const command config_schema = {
    .name = "config schema",
    .group = "Work",
    .summary = "print the JSON Schema of the configuration file",
    .description =
        "Builds the program and runs `PROGRAM --config-schema`. Editors check TOML files against the schema.",
    .operands = {},
    .options = config_schema_detail::options,
    .examples = config_schema_detail::examples,
    .run = config_schema_detail::run,
};

}  // namespace apus::cli::commands
