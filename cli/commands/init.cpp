// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/scaffold/project.hpp"

namespace apus::cli::commands {

namespace init_detail {

constexpr option options[] = {
    {.name = "name", .value = "NAME", .summary = "the project's name (the folder's name)"},
    {.name = "vscode", .summary = "also write VS Code tasks and launch files"},
    {.name = "no-git", .summary = "do not create a git repository"},
};
constexpr std::string_view examples[] = {"apus init", "apus init --name shop"};

int run(const arguments& given, context& in) {
    scaffold::adopt({.folder = std::filesystem::current_path(),
                     .name = std::string(given.value("name").value_or("")),
                     .vscode = given.has("vscode"),
                     .git = !given.has("no-git")},
                    in.shell);
    return 0;
}

}  // namespace init_detail

constinit const command init = {
    .name = "init",
    .group = "Project",
    .summary = "make the current folder a project",
    .description =
        "Writes missing files. Does not replace existing files. If src/main.cpp exists, the program is built from\n"
        "src/; otherwise from the .cpp files in the folder. Without .cpp files, creates src/main.cpp.",
    .operands = {},
    .options = init_detail::options,
    .examples = init_detail::examples,
    .run = init_detail::run,
};

}  // namespace apus::cli::commands
