// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/registries.hpp"

namespace apus::cli::commands {

namespace registry_publish_detail {

constexpr operand operands[] = {{"NAME", "a registry of the project"},
                                {"FOLDER", "the folder of conanfile.py (.)", operand_count::optional}};
constexpr std::string_view examples[] = {"apus registry publish ours", "apus registry publish company recipes/tiny"};

int run(const arguments& given, context& in) {
    const std::string folder(given.operands().size() > 1 ? given.operand(1) : ".");
    dependencies::publish(manifest::find(), std::string(given.operand(0)), std::filesystem::absolute(folder), in.shell);
    return 0;
}

}  // namespace registry_publish_detail

constinit const command registry_publish = {
    .name = "registry publish",
    .group = "Dependencies",
    .summary = "publish a recipe in a registry",
    .description =
        "Copies the recipe to a folder, or commits and pushes it to a git repository, or builds and uploads it\n"
        "to a server with the credentials in CONAN_LOGIN_USERNAME and CONAN_PASSWORD. Never replaces an\n"
        "existing version in a folder or repository.",
    .operands = registry_publish_detail::operands,
    .options = {},
    .examples = registry_publish_detail::examples,
    .run = registry_publish_detail::run,
};

}  // namespace apus::cli::commands
