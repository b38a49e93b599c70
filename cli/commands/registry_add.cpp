// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/registries.hpp"

namespace apus::cli::commands {

namespace registry_add_detail {

constexpr operand operands[] = {{"NAME", "the registry's name in apus.toml"},
                                {"PLACE", "a folder, a repository (git+URL, or ending in .git), or a URL"}};
constexpr option options[] = {{.name = "offline", .summary = "do not access the network"}};
constexpr std::string_view examples[] = {"apus registry add ours ../recipes",
                                         "apus registry add company https://conan.example.com"};

int run(const arguments& given, context& in) {
    const std::string name(given.operand(0)), where(given.operand(1));
    if (!manifest::is_dependency_name(name) || name == "conancenter")
        misuse("`" + name + "` is not a valid registry name", given.of());
    if (!manifest::is_plain_word(where)) misuse("`" + where + "` is not a valid registry location", given.of());
    dependencies::add_registry(manifest::find(), name, where, {.offline = given.has("offline")}, in.shell);
    return 0;
}

}  // namespace registry_add_detail

constinit const command registry_add = {
    .name = "registry add",
    .group = "Dependencies",
    .summary = "add a registry of recipes to the project",
    .description =
        "A registry is a folder or git repository with recipes in Conan's layout (recipes/NAME/config.yml), or\n"
        "the URL of a Conan server. Adds the registry to apus.toml, after the existing registries. Registries\n"
        "are searched in this order.",
    .operands = registry_add_detail::operands,
    .options = registry_add_detail::options,
    .examples = registry_add_detail::examples,
    .run = registry_add_detail::run,
};

}  // namespace apus::cli::commands
