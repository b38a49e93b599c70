// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/build_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/work/build.hpp"

namespace apus::cli::commands {

namespace build_detail {

constexpr operand operands[] = {{"TARGET", "the CMake target to build (all)", operand_count::any}};
constexpr option options[] = {
    release_flag,
    preset_flag,
    sanitize_flag,
    jobs_flag,
};
constexpr std::string_view examples[] = {"apus build", "apus build --release -j 4", "apus build --sanitize address"};

int run(const arguments& given, context& in) {
    const auto targets = given.operands();
    work::build(manifest::find(),
                {.preset = preset_of(given),
                 .targets = {targets.begin(), targets.end()},
                 .jobs = given.number("jobs", 1, 1024, 0)},
                in.shell);
    return 0;
}

}  // namespace build_detail

constinit const command build = {
    .name = "build",
    .group = "Work",
    .summary = "build the project",
    .description = "Configures with CMake if necessary and builds with Ninja, in build/PRESET.",
    .operands = build_detail::operands,
    .options = build_detail::options,
    .examples = build_detail::examples,
    .run = build_detail::run,
};

}  // namespace apus::cli::commands
