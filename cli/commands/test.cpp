// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/build_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/dev/developing.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/work/tests.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"FILTER", "a regular expression, as CTest has them", how_many::optional}};
constexpr option options[] = {
    preset_flag,
    sanitize_flag,
    {.name = "watch", .letter = 'w', .summary = "and again after each change, until Ctrl-C"},
    {.name = "coverage", .summary = "also tell which lines ran"},
    {.name = "junit", .value = "FILE", .summary = "write the results as JUnit's XML"},
};
constexpr std::string_view examples[] = {"apus test", "apus test 'note' --sanitize thread", "apus test --coverage",
                                         "apus test -- --test-case='*note*' --success"};

int run(const arguments& given, context& in) {
    const bool coverage = given.has("coverage");
    if (const auto words = given.passed_on(); !words.empty()) {
        if (coverage || given.has("watch") || given.has("junit") || !given.operand(0).empty())
            misuse(
                "what stands behind `--` is for the program of tests, which takes neither FILTER nor `--watch`, "
                "`--coverage` or `--junit`",
                given.of());
        return work::run_test_program(manifest::find(), preset_of(given), {words.begin(), words.end()}, in.shell);
    }
    if (coverage && (given.has("preset") || given.has("sanitize")))
        misuse("`--coverage` has a preset of its own", given.of());
    if (given.has("watch") && (coverage || given.has("junit")))
        misuse("`--watch` goes with neither `--coverage` nor `--junit`", given.of());
    if (given.has("watch"))
        return dev::test_again_and_again(preset_of(given), std::string(given.operand(0)), in.shell), 0;
    const work::test_options wanted{.preset = coverage ? "coverage" : preset_of(given),
                                    .filter = std::string(given.operand(0)),
                                    .junit = std::string(given.value("junit").value_or("")),
                                    .coverage = coverage};
    return work::test(manifest::find(), wanted, in.shell) ? 0 : 1;
}

}  // namespace

constinit const command test = {
    .name = "test",
    .group = "Work",
    .summary = "build and run the tests",
    .description =
        "Those whose name matches FILTER, or all. Shows the output of those that fail, and what is known\n"
        "of a sanitizer's report above it. With words behind `--` it runs the project's program of tests\n"
        "with them: that is doctest's, and `apus test -- --help` shows what it takes.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .passes_on = true,
    .run = run,
};

}  // namespace apus::cli::commands
