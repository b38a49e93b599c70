// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/build_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/routes.hpp"

namespace apus::cli::commands {

namespace openapi_detail {

constexpr option options[] = {
    preset_flag,
    {.name = "output", .letter = 'o', .value = "FILE", .summary = "write the description to this file"},
};
constexpr std::string_view examples[] = {"apus openapi > openapi.json"};

int run(const arguments& given, context& in) {
    work::print_description(preset_of(given), std::string(given.value("output").value_or("")), in.shell);
    return 0;
}

}  // namespace openapi_detail

constinit const command openapi = {
    .name = "openapi",
    .group = "Work",
    .summary = "print the API description (OpenAPI 3.1)",
    .description =
        "Builds the program, starts it on a private Unix socket, and requests the path that ends in "
        "/openapi.json.",
    .operands = {},
    .options = openapi_detail::options,
    .examples = openapi_detail::examples,
    .run = openapi_detail::run,
};

}  // namespace apus::cli::commands
