// SPDX-License-Identifier: Apache-2.0
#include "cli/work/eject.hpp"
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace eject_detail {

constexpr std::string_view examples[] = {"apus eject"};

int run(const arguments&, context& in) {
    work::eject(in.shell);
    return 0;
}

}  // namespace eject_detail

constinit const command eject = {
    .name = "eject",
    .group = "Project",
    .summary = "copy the CMake functions into the project",
    .description =
        "Copies the CMake functions that CMakeLists.txt calls to cmake/apus of the project. The project then\n"
        "contains all of its build code. All commands of the tool continue to work.",
    .operands = {},
    .options = {},
    .examples = eject_detail::examples,
    .run = eject_detail::run,
};

}  // namespace apus::cli::commands
