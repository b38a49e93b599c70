// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/benching.hpp"

#include <algorithm>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/system/files.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"NAME", "a benchmark of the project's own, bench/NAME_bench.cpp", how_many::optional}};
constexpr option options[] = {
    {.name = "preset", .value = "NAME", .summary = "what to build (release)"},
    {.name = "path",
     .letter = 'p',
     .value = "PATH",
     .summary = "what to ask for (each route of the method without values in its path)",
     .repeats = true},
    {.name = "method", .letter = 'm', .value = "METHOD", .summary = "of the requests (GET, and POST with a body)"},
    {.name = "header", .value = "'NAME: VALUE'", .summary = "a header of each request", .repeats = true},
    {.name = "body", .letter = 'b', .value = "TEXT", .summary = "a body of each request"},
    {.name = "body-file", .value = "FILE", .summary = "the same, of a file"},
    {.name = "type", .value = "TYPE", .summary = "what the body is (application/json)"},
    {.name = "status", .value = "CODE", .summary = "what an answer has to have (any from 200 to 299)"},
    {.name = "rate",
     .letter = 'r',
     .value = "NUMBER",
     .summary = "requests/s at even distances, and how long each took from its time on (as fast as answers come)"},
    {.name = "connections", .letter = 'c', .value = "NUMBER", .summary = "how many ask at the same time (16)"},
    {.name = "duration",
     .letter = 'd',
     .value = "SECONDS",
     .summary = "how long each path is measured, in five rounds (5)"},
    {.name = "save", .value = "NAME", .summary = "keep the figures in build/bench"},
    {.name = "compare",
     .value = "NAME",
     .summary = "say what differs from figures that were kept, and end with 1 if one is worse"},
    {.name = "json", .summary = "print a JSON object, with every round, in place of a table"},
};
constexpr std::string_view examples[] = {"apus bench --save before", "apus bench --path /notes --compare before",
                                         "apus bench --path /notes --body '{\"text\": \"Milk\"}'",
                                         "apus bench --path /notes/1 --rate 2000", "apus bench parsing"};

// A name that is to be a file's.
std::string name_in(const arguments& given, std::string_view option) {
    const std::string name(given.value(option).value_or(""));
    if (given.has(option) && (name.empty() || name.starts_with('.') || name.find_first_of("/ ") != name.npos))
        misuse("`" + name + "` cannot be a name for `--" + std::string(option) + "`", given.of());
    return name;
}

// What is refused is a sentence; what is not, nothing.
void refuse_if(const std::optional<std::string>& wrong, const arguments& given) {
    if (wrong) misuse(*wrong, given.of());
}

void read_body(const arguments& given, bench::request& made) {
    if (given.has("body") && given.has("body-file"))
        misuse("`--body` and `--body-file` are given, and a request has one body", given.of());
    if (given.has("body")) made.body = std::string(*given.value("body"));
    if (!given.has("body-file")) return;
    made.body_file = *given.value("body-file");
    made.body = system::read_file(made.body_file);
}

bench::request request_in(const arguments& given) {
    bench::request made{.status = static_cast<std::uint64_t>(given.number("status", 200, 599, 0))};
    read_body(given, made);
    made.method = given.value("method").value_or(made.body ? "POST" : "GET");
    refuse_if(bench::wrong_with_method(made.method), given);
    for (const std::string_view each : given.values("header"))
        refuse_if(bench::wrong_with_header(made.headers.emplace_back(each)), given);
    const bool typed = std::ranges::any_of(
        made.headers, [](const std::string& each) { return bench::is_named(each, "content-type"); });
    if (!given.has("type")) {
        if (made.body && !typed) made.headers.emplace_back("Content-Type: application/json");
        return made;
    }
    if (!made.body) misuse("`--type` says what a body is, and there is none", given.of());
    if (typed) misuse("`--type` and a header both say what the body is", given.of());
    refuse_if(bench::wrong_with_header(made.headers.emplace_back("Content-Type: " + std::string(*given.value("type")))),
              given);
    return made;
}

int run(const arguments& given, context& in) {
    const auto passed = given.passed_on();
    const std::string preset = work::preset_for({.release = true, .named = given.value("preset")});
    if (!given.operand(0).empty()) {
        for (const option& each : options)
            if (each.name != "preset" && given.has(each.name))
                misuse("`--" + std::string(each.name) +
                           "` is for the program under load; a benchmark gets what stands behind `--`",
                       given.of());
        return bench::run_benchmark(std::string(given.operand(0)), preset, {passed.begin(), passed.end()}, in.shell);
    }
    const auto paths = given.values("path");
    for (const std::string_view path : paths) {
        if (!path.starts_with('/'))
            misuse("`" + std::string(path) + "` is no path: it does not begin with `/`", given.of());
        if (std::ranges::any_of(path, [](unsigned char c) { return c <= ' ' || c >= 0x7f; }))
            misuse("`" + std::string(path) + "` has characters that a request has in the form %20 only", given.of());
    }
    const bench::bench_options wanted{
        .preset = preset,
        .paths = {paths.begin(), paths.end()},
        .what = request_in(given),
        .connections = static_cast<std::uint64_t>(given.number("connections", 1, 10'000, 16)),
        .seconds = static_cast<std::uint64_t>(given.number("duration", 1, 3600, 5)),
        .rate = static_cast<std::uint64_t>(given.number("rate", 1, 1'000'000, 0)),
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
        "the figures worth less, as other programs at work, is said below. An answer with another status\n"
        "than is wanted is an error. With --rate, each request has its time, whether or not those before are\n"
        "answered, and what counts is how long after that time it was: what users see of a server that is\n"
        "not asked for all it can do. With NAME, builds and runs bench/NAME_bench.cpp, a program of your own.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .passes_on = true,
    .run = run,
};

}  // namespace apus::cli::commands
