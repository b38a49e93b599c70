// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/build_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/starting.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"FILE", "a .cpp file, or the name of an example", how_many::optional}};
constexpr option options[] = {
    release_flag,
    preset_flag,
    sanitize_flag,
};
constexpr std::string_view examples[] = {"apus run", "apus run -- --port 9000", "apus run hello.cpp"};

int run(const arguments& given, context& in) {
    const auto passed = given.passed_on();
    const std::vector<std::string> arguments(passed.begin(), passed.end());
    const std::string name(given.operand(0));
    if (name.empty()) return work::run_project(preset_of(given), arguments, in.shell);
    if (!name.ends_with(".cpp")) return work::run_example(name, preset_of(given), arguments, in.shell);
    if (given.has("preset") || given.has("sanitize"))
        misuse("`--preset` and `--sanitize` are for what a project builds", given.of());
    return work::run_source(name, given.has("release"), arguments, in.shell);
}

}  // namespace

constinit const command run_command = {
    .name = "run",
    .group = "Work",
    .summary = "build and start the program, an example or a single file",
    .description =
        "Without an operand, the project's program. An example is examples/NAME.cpp of a project, linked\n"
        "with what its tests are; both run in the project's folder. A single .cpp needs no project:\n"
        "`// apus: dependencies = fmt` in front of its code names packages of pkg-config, and\n"
        "`// apus: flags = -O2` what the compiler gets. It is kept, and started at once the next time.\n"
        "With --sanitize, what is known of a report is said above it when the program has ended.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .passes_on = true,
    .run = run,
};

}  // namespace apus::cli::commands
