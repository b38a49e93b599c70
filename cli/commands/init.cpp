// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/scaffold/project.hpp"

namespace apus::cli::commands {

namespace {

constexpr option options[] = {
    {.name = "name", .value = "NAME", .summary = "a name other than the folder's"},
    {.name = "vscode", .summary = "also write tasks and launch files for VS Code"},
    {.name = "no-git", .summary = "make no git repository"},
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

}  // namespace

constinit const command init = {
    .name = "init",
    .group = "Project",
    .summary = "make the current folder a project",
    .description =
        "Writes what is missing and replaces nothing. The .cpp files that stand in the folder become\n"
        "the program, or those of src/ if there is a src/main.cpp; with none, it gets one.",
    .operands = {},
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
