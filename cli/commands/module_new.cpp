// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/modules/scaffold.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::commands {

namespace module_new_detail {

constexpr operand operands[] = {{"NAME", "the module's name: its folder and its namespace"}};
constexpr option options[] = {
    {.name = "prefix", .value = "PATH", .summary = "the prefix of the module's routes (/NAME)"},
    {.name = "needs",
     .value = "MODULES",
     .summary = "modules that the new module uses, separated by commas",
     .repeats = true},
    {.name = "summary", .value = "TEXT", .summary = "a description for lists and drawings"},
    {.name = "library", .summary = "create a module without routes, for other modules"},
};
constexpr std::string_view examples[] = {"apus module new auth",
                                         "apus module new orders --prefix /shop/orders --needs users,mail"};

int run(const arguments& given, context& in) {
    modules::module_options wanted{.name = std::string(given.operand(0)), .library = given.has("library")};
    wanted.summary = given.value("summary").value_or("");
    if (const auto prefix = given.value("prefix")) {
        if (wanted.library)
            misuse("`--library` and `--prefix` exclude each other: a library module has no routes", given.of());
        if (prefix->empty()) misuse("`--prefix` is empty", given.of());
        wanted.prefix = *prefix;
    }
    for (const std::string_view list : given.values("needs"))
        for (const std::string_view name : text::split(list, ','))
            if (std::ranges::find(wanted.needs, name) == wanted.needs.end()) wanted.needs.emplace_back(name);
    modules::make_module(manifest::find().folder, std::move(wanted), in.shell);
    return 0;
}

}  // namespace module_new_detail

constinit const command module_new = {
    .name = "module new",
    .group = "Modules",
    .summary = "create a module and mount it",
    .description =
        "A module is a folder in modules/ with public headers in include/NAME/, private code in src/, tests,\n"
        "and module.toml with the prefix of its routes and the modules that it uses. The command mounts the\n"
        "module at the comment `// apus: modules` in a source of the application. Without this comment, it\n"
        "prints the lines that you must add.",
    .operands = module_new_detail::operands,
    .options = module_new_detail::options,
    .examples = module_new_detail::examples,
    .run = module_new_detail::run,
};

}  // namespace apus::cli::commands
