// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/sdk_named.hpp"
#include "cli/commands/table.hpp"
#include "cli/errors/failure.hpp"
#include "cli/installation/store.hpp"
#include "cli/system/files.hpp"
#include "cli/system/leftovers.hpp"

namespace apus::cli::commands {

namespace sdk_remove_detail {

constexpr operand operands[] = {sdk_name};
constexpr std::string_view examples[] = {"apus sdk remove 0.1.0-web"};

int run(const arguments& given, context& in) {
    // removes the leftovers of killed `apus sdk remove` processes
    for (const auto& store : installation::stores()) system::clear_leftovers(store);
    const auto which = sdk_named(given.operand(0));
    if (which.in_use)
        throw errors::failure("E0506", "`" + which.name + "` is in use",
                              "`apus sdk use NAME` selects another SDK; `apus uninstall` removes all of Apus");
    const auto bytes = system::remove_tree(which.folder);
    in.shell.event("Removed", which.name + ", " + std::to_string((bytes + 999'999) / 1'000'000) + " MB");
    return 0;
}

}  // namespace sdk_remove_detail

constinit const command sdk_remove = {
    .name = "sdk remove",
    .group = "SDK",
    .summary = "remove an SDK",
    .description = "The SDK in use cannot be removed: select another SDK first.",
    .operands = sdk_remove_detail::operands,
    .options = {},
    .examples = sdk_remove_detail::examples,
    .run = sdk_remove_detail::run,
};

}  // namespace apus::cli::commands
