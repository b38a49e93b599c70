// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/registries.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"NAME", "a registry of the project"},
                                {"FOLDER", "where the conanfile.py is (.)", how_many::optional}};
constexpr std::string_view examples[] = {"apus registry publish ours", "apus registry publish company recipes/tiny"};

int run(const arguments& given, context& in) {
    const std::string folder(given.operands().size() > 1 ? given.operand(1) : ".");
    dependencies::publish(manifest::find(), std::string(given.operand(0)), std::filesystem::absolute(folder), in.shell);
    return 0;
}

}  // namespace

constinit const command registry_publish = {
    .name = "registry publish",
    .group = "Dependencies",
    .summary = "publish a recipe in a registry",
    .description =
        "Into a folder it is copied; into a git repository, committed and pushed; to a server, built and\n"
        "uploaded, with the name and password in CONAN_LOGIN_USERNAME and CONAN_PASSWORD. A version that is\n"
        "there is never replaced in a folder or repository.",
    .operands = operands,
    .options = {},
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
