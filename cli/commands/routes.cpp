// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/build_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/routes.hpp"

namespace apus::cli::commands {

namespace routes_detail {

constexpr option options[] = {
    preset_flag,
    {.name = "json", .summary = "print JSON"},
};
constexpr std::string_view examples[] = {"apus routes", "apus routes --json"};

int run(const arguments& given, context& in) {
    work::print_routes(preset_of(given), given.has("json"), in.shell);
    return 0;
}

}  // namespace routes_detail

constinit const command routes = {
    .name = "routes",
    .group = "Work",
    .summary = "list the routes of the program",
    .description = "Builds the program and runs `PROGRAM --routes`.",
    .operands = {},
    .options = routes_detail::options,
    .examples = routes_detail::examples,
    .run = routes_detail::run,
};

}  // namespace apus::cli::commands
