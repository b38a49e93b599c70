// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/measure.hpp"

#include <algorithm>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/system/files.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::commands {

namespace bench_detail {

constexpr operand operands[] = {{"NAME", "a benchmark of the project: bench/NAME_bench.cpp", operand_count::optional}};
constexpr option options[] = {
    {.name = "preset", .value = "NAME", .summary = "the preset to build (release)"},
    {.name = "path",
     .letter = 'p',
     .value = "PATH",
     .summary = "the path to request (all routes of the method without path parameters)",
     .repeats = true},
    {.name = "method",
     .letter = 'm',
     .value = "METHOD",
     .summary = "the request method (GET; POST if there is a body)"},
    {.name = "header", .value = "'NAME: VALUE'", .summary = "a header for each request", .repeats = true},
    {.name = "body", .letter = 'b', .value = "TEXT", .summary = "a body for each request"},
    {.name = "body-file", .value = "FILE", .summary = "a file with the body for each request"},
    {.name = "type", .value = "TYPE", .summary = "Content-Type of the body (application/json)"},
    {.name = "status", .value = "CODE", .summary = "expected status (any from 200 to 299)"},
    {.name = "rate",
     .letter = 'r',
     .value = "NUMBER",
     .summary = "requests/s at equal intervals; latency is measured from the scheduled time (no fixed rate)"},
    {.name = "connections", .letter = 'c', .value = "NUMBER", .summary = "number of concurrent connections (16)"},
    {.name = "duration", .letter = 'd', .value = "SECONDS", .summary = "duration for each path, in five rounds (5)"},
    {.name = "save", .value = "NAME", .summary = "save the figures in build/bench"},
    {.name = "compare",
     .value = "NAME",
     .summary = "compare with saved figures; the exit status is 1 if a figure is "
                "worse"},
    {.name = "json", .summary = "print a JSON object with every round instead of a table"},
};
constexpr std::string_view examples[] = {"apus bench --save before", "apus bench --path /notes --compare before",
                                         "apus bench --path /notes --body '{\"text\": \"Milk\"}'",
                                         "apus bench --path /notes/1 --rate 2000", "apus bench parsing"};

// Returns the name of a saved report, the value of an option. Throws a usage error for an invalid name.
std::string name_in(const arguments& given, std::string_view option) {
    const std::string name(given.value(option).value_or(""));
    if (given.has(option) && (name.empty() || name.starts_with('.') || name.find_first_of("/ ") != name.npos))
        misuse("`" + name + "` is not a valid name for `--" + std::string(option) + "`", given.of());
    return name;
}

// Throws a usage error with the message `wrong`, unless it is empty.
void reject_if(const std::optional<std::string>& wrong, const arguments& given) {
    if (wrong) misuse(*wrong, given.of());
}

void read_body(const arguments& given, bench::request& made) {
    if (given.has("body") && given.has("body-file"))
        misuse("`--body` and `--body-file` exclude each other", given.of());
    if (given.has("body")) made.body = std::string(*given.value("body"));
    if (!given.has("body-file")) return;
    made.body_file = *given.value("body-file");
    made.body = system::read_file(made.body_file);
}

bench::request request_in(const arguments& given) {
    bench::request made{.status = static_cast<std::uint64_t>(given.number("status", 200, 599, 0))};
    read_body(given, made);
    made.method = given.value("method").value_or(made.body ? "POST" : "GET");
    reject_if(bench::method_error(made.method), given);
    for (const std::string_view each : given.values("header"))
        reject_if(bench::header_error(made.headers.emplace_back(each)), given);
    const bool typed = std::ranges::any_of(
        made.headers, [](const std::string& each) { return bench::is_named(each, "content-type"); });
    if (!given.has("type")) {
        if (made.body && !typed) made.headers.emplace_back("Content-Type: application/json");
        return made;
    }
    if (!made.body) misuse("`--type` requires `--body` or `--body-file`", given.of());
    if (typed) misuse("`--type` and a Content-Type header exclude each other", given.of());
    reject_if(bench::header_error(made.headers.emplace_back("Content-Type: " + std::string(*given.value("type")))),
              given);
    return made;
}

int run(const arguments& given, context& in) {
    const auto passed = given.program_arguments();
    const std::string preset = work::preset_for({.release = true, .named = given.value("preset")});
    if (!given.operand(0).empty()) {
        for (const option& each : options)
            if (each.name != "preset" && given.has(each.name))
                misuse("`--" + std::string(each.name) +
                           "` applies only to load tests; write arguments for a benchmark after `--`",
                       given.of());
        return bench::run_benchmark(std::string(given.operand(0)), preset, {passed.begin(), passed.end()}, in.shell);
    }
    const auto paths = given.values("path");
    for (const std::string_view path : paths) {
        if (!path.starts_with('/'))
            misuse("`" + std::string(path) + "` is not a path: it must begin with `/`", given.of());
        if (std::ranges::any_of(path, [](unsigned char c) { return c <= ' ' || c >= 0x7f; }))
            misuse("`" + std::string(path) + "` has characters that must be percent-encoded, as in %20", given.of());
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

}  // namespace bench_detail

constinit const command bench_command = {
    .name = "bench",
    .group = "Work",
    .summary = "measure the program under load, or run a benchmark",
    .description =
        "Builds the preset `release`, starts the program, and requests each path in interleaved rounds.\n"
        "Server and load generator run on separate CPUs if at least two are available. The table has the\n"
        "medians of the rounds: requests/s, latency, and the server's CPU time per request. Warnings below\n"
        "the table name conditions that make the figures unreliable, such as other busy programs. A response\n"
        "with an unexpected status is an error. With --rate, the load generator sends each request at its\n"
        "scheduled time, even if earlier requests have no response yet, and measures latency from that time.\n"
        "Users see this latency while a server is not saturated. With NAME, builds and runs the project's\n"
        "own benchmark, bench/NAME_bench.cpp.",
    .operands = bench_detail::operands,
    .options = bench_detail::options,
    .examples = bench_detail::examples,
    .has_program_arguments = true,
    .run = bench_detail::run,
};

}  // namespace apus::cli::commands
