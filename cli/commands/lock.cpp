// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/dependency_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/changes.hpp"

namespace apus::cli::commands {

namespace {

constexpr option options[] = {
    {.name = "frozen", .summary = "fail if something would be written"},
    offline_flag,
    packages_flag,
};
constexpr std::string_view examples[] = {"apus lock", "apus lock --frozen --offline",
                                         "apus lock --frozen --install-packages"};

int run(const arguments& given, context& in) {
    dependencies::modes how = modes_of(given);
    how.frozen = given.has("frozen");
    dependencies::relock(manifest::find(), how, in.shell);
    return 0;
}

}  // namespace

constinit const command lock = {
    .name = "lock",
    .group = "Dependencies",
    .summary = "bring apus.lock up to date with apus.toml",
    .description =
        "What is locked and still asked for stays as it is. Writes cmake/dependencies.cmake too, and fetches\n"
        "what is not here. With --frozen, as in CI, nothing is written: what would be is an error. A machine\n"
        "that has none of its packages yet gets them by --install-packages.",
    .operands = {},
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
