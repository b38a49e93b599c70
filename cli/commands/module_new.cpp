// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/modules/scaffold.hpp"
#include "cli/text/choices.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"NAME", "the module's name: its folder and its namespace"}};
constexpr option options[] = {
    {.name = "prefix", .value = "PATH", .summary = "where its routes stand (/NAME)"},
    {.name = "needs", .value = "MODULES", .summary = "modules that it uses, with commas between", .repeats = true},
    {.name = "summary", .value = "TEXT", .summary = "what it is, for lists and drawings"},
    {.name = "library", .summary = "without routes: code for other modules"},
};
constexpr std::string_view examples[] = {"apus module new auth",
                                         "apus module new orders --prefix /shop/orders --needs users,mail"};

int run(const arguments& given, context& in) {
    modules::wanted_module wanted{.name = std::string(given.operand(0)), .library = given.has("library")};
    wanted.summary = given.value("summary").value_or("");
    if (const auto prefix = given.value("prefix")) {
        if (wanted.library)
            misuse("`--library` makes a module without routes, so there is nothing for `--prefix`", given.of());
        if (prefix->empty()) misuse("`--prefix` is empty", given.of());
        wanted.prefix = *prefix;
    }
    for (const std::string_view list : given.values("needs"))
        for (const std::string_view name : text::split(list, ','))
            if (std::ranges::find(wanted.needs, name) == wanted.needs.end()) wanted.needs.emplace_back(name);
    modules::make_module(manifest::find().folder, std::move(wanted), in.shell);
    return 0;
}

}  // namespace

constinit const command module_new = {
    .name = "module new",
    .group = "Modules",
    .summary = "create a module and mount it",
    .description =
        "A module is a folder in modules/: public headers in include/NAME/, code of its own in src/,\n"
        "tests, and module.toml, which says where its routes stand and which modules it uses. It is\n"
        "mounted where a source of the application has the comment `// apus: modules`; without one,\n"
        "the lines to add are shown.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
