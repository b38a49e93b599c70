// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/errors/failure.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/modules/graph.hpp"
#include "cli/system/files.hpp"
#include "cli/text/counted.hpp"

namespace apus::cli::commands {

namespace {

constexpr option options[] = {
    {.name = "svg", .value = "FILE", .summary = "draw it into this file"},
    {.name = "dot", .summary = "print it in the language of Graphviz"},
    {.name = "json", .summary = "print what `apus module list --json` does"},
};
constexpr std::string_view examples[] = {"apus module graph", "apus module graph --svg modules.svg"};

int run(const arguments& given, context& in) {
    if (given.has("svg") + given.has("dot") + given.has("json") > 1)
        misuse("only one of `--svg`, `--dot` and `--json` can be given", given.of());
    const auto file = given.value("svg");
    const auto root = manifest::find().folder;
    const auto all = modules::read_all(root);
    for (const auto& each : all)
        for (const std::string& need : each.needs)
            if (!modules::find(all, need))
                throw errors::failure("E0603",
                                      each.file().string() + ":" + std::to_string(each.needs_line) + ": `needs` has `" +
                                          need + "`, which is no module",
                                      modules::meant_module(all, need));
    if (file) {
        system::update_file(std::string(*file), modules::as_svg(all));
        in.shell.event("Drew", text::counted(all.size(), "module") + " into " + std::string(*file));
    } else {
        in.shell.print(given.has("json")  ? modules::as_json(root, all)
                       : given.has("dot") ? modules::as_dot(all)
                                          : modules::as_text(all));
    }
    return 0;
}

}  // namespace

constinit const command module_graph = {
    .name = "module graph",
    .group = "Modules",
    .summary = "show the dependency graph of the modules",
    .description =
        "Without an option, a line for each module. The drawing has what needs nothing at the bottom,\n"
        "and arrows that close a cycle in red; the same modules give the same file.",
    .operands = {},
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
