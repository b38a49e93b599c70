// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/sdk_named.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/system_packages.hpp"
#include "cli/sdk/contents.hpp"
#include "cli/system/files.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::commands {

namespace sdk_info_detail {

constexpr operand operands[] = {sdk_name};
constexpr std::string_view examples[] = {"apus sdk info 0.1.0-web"};

int run(const arguments& given, context& in) {
    const auto which = sdk_named(given.operand(0));
    const auto has = sdk::contents_of(which.folder);
    in.shell.print("name        " + which.name + (which.in_use ? ", in use" : "") + "\nfolder      " +
                   which.folder.string() + "\nsize        " +
                   std::to_string((system::disk_usage(which.folder) + 999'999) / 1'000'000) + " MB\ncomponents  " +
                   text::joined(has.components) + "\nlibraries   " + text::joined(has.libraries) + "\npackages    " +
                   text::joined(has.packages) + "\n");
    if (const auto missing = dependencies::missing_packages(has.packages); !missing.empty())
        in.shell.hint("required packages are not installed: `apt-get install " + text::joined(missing) + "`");
    return 0;
}

}  // namespace sdk_info_detail

constinit const command sdk_info = {
    .name = "sdk info",
    .group = "SDK",
    .summary = "show components and system packages of an SDK",
    .description =
        "Components are the names for find_package(apus COMPONENTS ...). Packages are Debian packages that "
        "the\n"
        "SDK needs.",
    .operands = sdk_info_detail::operands,
    .options = {},
    .examples = sdk_info_detail::examples,
    .run = sdk_info_detail::run,
};

}  // namespace apus::cli::commands
