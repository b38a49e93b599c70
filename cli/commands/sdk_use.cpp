// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/sdk_named.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace sdk_use_detail {

constexpr operand operands[] = {sdk_name};
constexpr std::string_view examples[] = {"apus sdk use 0.1.0-web"};

int run(const arguments& given, context& in) {
    const auto which = sdk_named(given.operand(0));
    installation::use(which);
    in.shell.event("Using", which.name + " in " + which.folder.parent_path().string());
    return 0;
}

}  // namespace sdk_use_detail

constinit const command sdk_use = {
    .name = "sdk use",
    .group = "SDK",
    .summary = "select the default SDK for projects",
    .description = "Projects that pin an SDK in `[sdk]` of apus.toml are not affected.",
    .operands = sdk_use_detail::operands,
    .options = {},
    .examples = sdk_use_detail::examples,
    .run = sdk_use_detail::run,
};

}  // namespace apus::cli::commands
