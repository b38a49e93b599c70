// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/benching.hpp"

#include <algorithm>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"NAME", "a benchmark of the project's own, bench/NAME_bench.cpp", how_many::optional}};
constexpr option options[] = {
    {.name = "preset", .value = "NAME", .summary = "what to build (release)"},
    {.name = "path", .letter = 'p', .value = "PATH", .summary = "what to ask for (each GET route without values in its path)", .repeats = true},
    {.name = "connections", .letter = 'c', .value = "NUMBER", .summary = "how many ask at the same time (16)"},
    {.name = "duration", .letter = 'd', .value = "SECONDS", .summary = "how long each path is measured, in five rounds (5)"},
    {.name = "save", .value = "NAME", .summary = "keep the figures in build/bench"},
    {.name = "compare", .value = "NAME", .summary = "say what differs from figures that were kept, and end with 1 if one is worse"},
    {.name = "json", .summary = "print a JSON object, with every round, in place of a table"},
};
constexpr std::string_view examples[] = {"apus bench --save before", "apus bench --path /notes --compare before", "apus bench parsing"};

// A name that is to be a file's.
std::string name_in(const arguments& given, std::string_view option) {
    const std::string name(given.value(option).value_or(""));
    if (given.has(option) && (name.empty() || name.starts_with('.') || name.find_first_of("/ ") != name.npos)) misuse("`" + name + "` cannot be a name for `--" + std::string(option) + "`", given.of());
    return name;
}

int run(const arguments& given, context& in) {
    const auto passed = given.passed_on();
    const std::string preset = work::preset_for({.release = true, .named = given.value("preset")});
    if (!given.operand(0).empty()) {
        for (const option& each : options)
            if (each.name != "preset" && given.has(each.name)) misuse("`--" + std::string(each.name) + "` is for the program under load; a benchmark gets what stands behind `--`", given.of());
        return bench::run_benchmark(std::string(given.operand(0)), preset, {passed.begin(), passed.end()}, in.shell);
    }
    const auto paths = given.values("path");
    for (const std::string_view path : paths) {
        if (!path.starts_with('/')) misuse("`" + std::string(path) + "` is no path: it does not begin with `/`", given.of());
        if (std::ranges::any_of(path, [](unsigned char c) { return c <= ' ' || c >= 0x7f; })) misuse("`" + std::string(path) + "` has characters that a request has in the form %20 only", given.of());
    }
    const bench::bench_options wanted{.preset = preset,
                                      .paths = {paths.begin(), paths.end()},
                                      .connections = static_cast<std::uint64_t>(given.number("connections", 1, 10'000, 16)),
                                      .seconds = static_cast<std::uint64_t>(given.number("duration", 1, 3600, 5)),
                                      .save = name_in(given, "save"),
                                      .compare = name_in(given, "compare"),
                                      .json = given.has("json"),
                                      .arguments = {passed.begin(), passed.end()}};
    return bench::measure(wanted, in.shell) ? 0 : 1;
}

}  // namespace

constinit const command bench_command = {
    .name = "bench",
    .group = "Work",
    .summary = "measure the program under load, or run a benchmark",
    .description =
        "Builds the preset `release`, starts the program, and asks for each path in rounds that take\n"
        "turns, with server and load on CPUs of their own where there are two. The table has medians of\n"
        "the rounds: requests/s, how long answers took, and the server's CPU time for each. What makes\n"
        "the figures worth less, as other programs at work, is said below. With NAME, builds and runs\n"
        "bench/NAME_bench.cpp, a program of your own.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .passes_on = true,
    .run = run,
};

}  // namespace apus::cli::commands
