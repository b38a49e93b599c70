// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/installation/installation.hpp"
#include "cli/system/paths.hpp"

namespace apus::cli::commands {

namespace uninstall_detail {

constexpr option options[] = {{.name = "yes", .letter = 'y', .summary = "remove the files instead of listing them"}};
constexpr std::string_view examples[] = {"apus uninstall", "apus uninstall --yes"};

int run(const arguments& given, context& in) {
    const auto found = installation::of_program(system::own_program());
    if (!given.has("yes")) {
        std::string text;
        for (const auto& part : found.parts) text += part.string() + "\n";
        in.shell.print(text);
        in.shell.hint(
            "`apus uninstall --yes` removes these files, but not caches and registries; `apus info` shows their "
            "folders");
        return 0;
    }
    const auto bytes = installation::remove(found);
    in.shell.event("Removed", "Apus from " + found.prefix.string() + ", " + std::to_string(bytes / 1'000'000) + " MB");
    return 0;
}

}  // namespace uninstall_detail

constinit const command uninstall = {
    .name = "uninstall",
    .group = "The tool",
    .summary = "remove an installation of `./apus install`",
    .description =
        "Removes the SDKs, the tool and their CMake configuration from the prefix of this program. Does not\n"
        "remove other files in the prefix, projects, caches and registries.",
    .operands = {},
    .options = uninstall_detail::options,
    .examples = uninstall_detail::examples,
    .run = uninstall_detail::run,
};

}  // namespace apus::cli::commands
