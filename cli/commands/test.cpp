// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/build_flags.hpp"
#include "cli/commands/table.hpp"
#include "cli/dev/develop.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/work/tests.hpp"

namespace apus::cli::commands {

namespace test_detail {

constexpr operand operands[] = {
    {"FILTER", "a regular expression for test names, as in `ctest -R`", operand_count::optional}};
constexpr option options[] = {
    preset_flag,
    sanitize_flag,
    {.name = "watch", .letter = 'w', .summary = "run the tests again after each change, until Ctrl-C"},
    {.name = "coverage", .summary = "measure line coverage"},
    {.name = "junit", .value = "FILE", .summary = "write the results as JUnit XML"},
};
constexpr std::string_view examples[] = {"apus test", "apus test 'note' --sanitize thread", "apus test --coverage",
                                         "apus test -- --test-case='*note*' --success"};

int run(const arguments& given, context& in) {
    const bool coverage = given.has("coverage");
    if (const auto words = given.program_arguments(); !words.empty()) {
        if (coverage || given.has("watch") || given.has("junit") || !given.operand(0).empty())
            misuse("arguments for the test program, after `--`, exclude FILTER, `--watch`, `--coverage` and `--junit`",
                   given.of());
        return work::run_test_program(manifest::find(), preset_of(given), {words.begin(), words.end()}, in.shell);
    }
    if (coverage && (given.has("preset") || given.has("sanitize")))
        misuse("`--coverage` uses its own preset: it excludes `--release`, `--preset` and `--sanitize`", given.of());
    if (given.has("watch") && (coverage || given.has("junit")))
        misuse("`--watch` excludes `--coverage` and `--junit`", given.of());
    if (given.has("watch")) return dev::test_on_change(preset_of(given), std::string(given.operand(0)), in.shell), 0;
    const work::test_options wanted{.preset = coverage ? "coverage" : preset_of(given),
                                    .filter = std::string(given.operand(0)),
                                    .junit = std::string(given.value("junit").value_or("")),
                                    .coverage = coverage};
    return work::test(manifest::find(), wanted, in.shell) ? 0 : 1;
}

}  // namespace test_detail

constinit const command test = {
    .name = "test",
    .group = "Work",
    .summary = "build and run the tests",
    .description =
        "Runs the tests whose name matches FILTER, or all tests. Prints the output of failed tests, with an\n"
        "explanation above each sanitizer report. With arguments after `--`, runs the project's test\n"
        "program (doctest) with these arguments; `apus test -- --help` lists its options.",
    .operands = test_detail::operands,
    .options = test_detail::options,
    .examples = test_detail::examples,
    .has_program_arguments = true,
    .run = test_detail::run,
};

}  // namespace apus::cli::commands
