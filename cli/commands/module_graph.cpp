// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/errors/failure.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/modules/graph.hpp"
#include "cli/system/files.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::commands {

namespace module_graph_detail {

constexpr option options[] = {
    {.name = "svg", .value = "FILE", .summary = "write a drawing of the graph to this file"},
    {.name = "dot", .summary = "print the graph for Graphviz"},
    {.name = "json", .summary = "print the same as `apus module list --json`"},
};
constexpr std::string_view examples[] = {"apus module graph", "apus module graph --svg modules.svg"};

int run(const arguments& given, context& in) {
    if (given.has("svg") + given.has("dot") + given.has("json") > 1)
        misuse("`--svg`, `--dot` and `--json` exclude each other", given.of());
    const auto file = given.value("svg");
    const auto root = manifest::find().folder;
    const auto all = modules::read_all(root);
    for (const auto& each : all)
        for (const std::string& need : each.needs)
            if (!modules::find(all, need))
                throw errors::failure("E0603",
                                      each.file().string() + ":" + std::to_string(each.needs_line) + ": `needs` has `" +
                                          need + "`, an unknown module",
                                      modules::closest_module(all, need));
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

}  // namespace module_graph_detail

constinit const command module_graph = {
    .name = "module graph",
    .group = "Modules",
    .summary = "show the dependency graph of the modules",
    .description =
        "Without an option, prints one line for each module. The drawing shows modules without needs at the\n"
        "bottom and cycles in red. The same modules always give the same drawing.",
    .operands = {},
    .options = module_graph_detail::options,
    .examples = module_graph_detail::examples,
    .run = module_graph_detail::run,
};

}  // namespace apus::cli::commands
