// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/dependency_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/changes.hpp"

namespace apus::cli::commands {

namespace lock_detail {

constexpr option options[] = {
    {.name = "frozen", .summary = "fail if a file would change"},
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

}  // namespace lock_detail

constinit const command lock = {
    .name = "lock",
    .group = "Dependencies",
    .summary = "bring apus.lock up to date with apus.toml",
    .description =
        "Keeps locked versions that still satisfy apus.toml. Also writes cmake/dependencies.cmake and fetches\n"
        "missing packages. With --frozen, for CI, a necessary change is an error, and no file is written.\n"
        "--install-packages installs missing system packages.",
    .operands = {},
    .options = lock_detail::options,
    .examples = lock_detail::examples,
    .run = lock_detail::run,
};

}  // namespace apus::cli::commands
