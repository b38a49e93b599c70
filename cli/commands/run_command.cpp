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
    if (given.operand(0).empty()) return work::run_project(preset_of(given), {passed.begin(), passed.end()}, in.shell);
    if (given.has("preset") || given.has("sanitize")) misuse("`--preset` and `--sanitize` are for the project's program", given.of());
    return work::run_source(std::string(given.operand(0)), given.has("release"), {passed.begin(), passed.end()}, in.shell);
}

}  // namespace

constinit const command run_command = {
    .name = "run",
    .group = "Work",
    .summary = "build and start the program, an example or a single file",
    .description =
        "Without an operand, the project's program. An example is examples/NAME.cpp. A single .cpp needs\n"
        "no project: `// apus: dependencies = fmt` in front of its code names packages of pkg-config, and\n"
        "`// apus: flags = -O2` what the compiler gets. What was built is kept, and started at once the\n"
        "next time.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .passes_on = true,
    .run = run,
};

}  // namespace apus::cli::commands
