// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/modules/graph.hpp"

namespace apus::cli::commands {

namespace module_list_detail {

constexpr option options[] = {{.name = "json", .summary = "print JSON with needs, migrations and tests"}};
constexpr std::string_view examples[] = {"apus module list", "apus module list --json | jq '.[].prefix'"};

int run(const arguments& given, context& in) {
    const auto root = manifest::find().folder;
    const auto all = modules::read_all(root);
    if (given.has("json")) return in.shell.print(modules::as_json(root, all)), 0;
    if (all.empty()) in.shell.hint("no modules; `apus module new NAME` creates one");
    std::size_t names = 0, prefixes = 0;
    for (const auto& each : all)
        names = std::max(names, each.name.size()), prefixes = std::max(prefixes, each.prefix.size());
    std::string text;
    for (const auto& each : all) {
        std::string line = each.name + std::string(names - each.name.size() + 2, ' ') + each.prefix +
                           std::string(prefixes - each.prefix.size() + 2, ' ') + each.summary;
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    in.shell.print(text);
    return 0;
}

}  // namespace module_list_detail

constinit const command module_list = {
    .name = "module list",
    .group = "Modules",
    .summary = "list the modules with prefixes and summaries",
    .description = "Prints one line for each module: name, prefix and summary.",
    .operands = {},
    .options = module_list_detail::options,
    .examples = module_list_detail::examples,
    .run = module_list_detail::run,
};

}  // namespace apus::cli::commands
