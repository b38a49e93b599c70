// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/scaffold/project.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"PATH", "the folder to make; its last part is the project's name"}};
constexpr option options[] = {
    {.name = "template",
     .letter = 't',
     .value = "api|web|realtime|worker|library|empty",
     .summary = "what to begin with (empty)"},
    {.name = "name", .value = "NAME", .summary = "a name other than the folder's"},
    {.name = "vscode", .summary = "also write tasks and launch files for VS Code"},
    {.name = "no-git", .summary = "make no git repository"},
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

}  // namespace

constinit const command new_project = {
    .name = "new",
    .group = "Project",
    .summary = "create a project in a new folder",
    .description =
        "api: typed routes, validation and their description. web: pages, a form, static files.\n"
        "realtime: WebSockets in rooms, and server-sent events. worker: work in intervals, and a\n"
        "health route. library: middleware for other projects. empty: one route and one test.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
