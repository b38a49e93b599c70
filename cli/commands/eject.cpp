// SPDX-License-Identifier: Apache-2.0
#include "cli/work/ejecting.hpp"
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace {

constexpr std::string_view examples[] = {"apus eject"};

int run(const arguments&, context& in) {
    work::eject(in.shell);
    return 0;
}

}  // namespace

constinit const command eject = {
    .name = "eject",
    .group = "Project",
    .summary = "copy the CMake functions into the project",
    .description =
        "Writes the functions of CMake that CMakeLists.txt calls into cmake/apus of the project. Everything\n"
        "else that builds it is in it already; the tool goes on to work as before.",
    .operands = {},
    .options = {},
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
