// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/build_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/run.hpp"

namespace apus::cli::commands {

namespace run_detail {

constexpr operand operands[] = {{"FILE", "a .cpp file, or the name of an example", operand_count::optional}};
constexpr option options[] = {
    release_flag,
    preset_flag,
    sanitize_flag,
};
constexpr std::string_view examples[] = {"apus run", "apus run -- --port 9000", "apus run hello.cpp"};

int run(const arguments& given, context& in) {
    const auto passed = given.program_arguments();
    const std::vector<std::string> arguments(passed.begin(), passed.end());
    const std::string name(given.operand(0));
    if (name.empty()) return work::run_project(preset_of(given), arguments, in.shell);
    if (!name.ends_with(".cpp")) return work::run_example(name, preset_of(given), arguments, in.shell);
    if (given.has("preset") || given.has("sanitize"))
        misuse("`--preset` and `--sanitize` require a project", given.of());
    return work::run_source(name, given.has("release"), arguments, in.shell);
}

}  // namespace run_detail

constinit const command run_command = {
    .name = "run",
    .group = "Work",
    .summary = "build and start the program, an example or a single file",
    .description =
        "Without an operand, starts the project's program. The name of an example starts examples/NAME.cpp,\n"
        "which is linked like the tests. Both run in the project's folder. A single .cpp file does not need a\n"
        "project: the comment `// apus: dependencies = fmt` before the code adds pkg-config packages, and\n"
        "`// apus: flags = -O2` adds compiler options. The compiled file is cached for the next run. With\n"
        "--sanitize, prints each sanitizer report below an explanation when the program exits.",
    .operands = run_detail::operands,
    .options = run_detail::options,
    .examples = run_detail::examples,
    .has_program_arguments = true,
    .run = run_detail::run,
};

}  // namespace apus::cli::commands
