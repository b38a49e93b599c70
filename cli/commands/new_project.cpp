// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/scaffold/project.hpp"

namespace apus::cli::commands {

namespace new_project_detail {

constexpr operand operands[] = {{"PATH", "the folder to create; its last component is the project's name"}};
constexpr option options[] = {
    {.name = "template",
     .letter = 't',
     .value = "api|web|realtime|worker|library|empty",
     .summary = "the project template (empty)"},
    {.name = "name", .value = "NAME", .summary = "the project's name (the folder's name)"},
    {.name = "vscode", .summary = "also write VS Code tasks and launch files"},
    {.name = "no-git", .summary = "do not create a git repository"},
};
constexpr std::string_view examples[] = {"apus new shop --template api", "apus new ~/src/chat -t realtime --vscode"};

int run(const arguments& given, context& in) {
    scaffold::create({.folder = given.operand(0),
                      .name = std::string(given.value("name").value_or("")),
                      .kind = given.value("template").value_or("empty"),
                      .vscode = given.has("vscode"),
                      .git = !given.has("no-git")},
                     in.shell);
    return 0;
}

}  // namespace new_project_detail

constinit const command new_project = {
    .name = "new",
    .group = "Project",
    .summary = "create a project in a new folder",
    .description =
        "api: typed routes, validation and OpenAPI. web: pages, a form and static files. realtime:\n"
        "WebSocket rooms and server-sent events. worker: periodic work and a health route. library:\n"
        "middleware for other projects. empty: one route and one test.",
    .operands = new_project_detail::operands,
    .options = new_project_detail::options,
    .examples = new_project_detail::examples,
    .run = new_project_detail::run,
};

}  // namespace apus::cli::commands
