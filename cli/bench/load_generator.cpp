// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/load_generator.hpp"

#include <filesystem>

#include <apus/json.hpp>

#include "cli/errors/failure.hpp"
#include "cli/system/paths.hpp"
#include "cli/system/process.hpp"

namespace apus::cli::bench {

namespace {

namespace fs = std::filesystem;

// Members of the load generator's JSON. Times are in microseconds.
struct latencies {
    static constexpr bool ignores_unknown_fields = true;
    double p50 = 0, p99 = 0, p999 = 0;
};

struct printed {
    static constexpr bool ignores_unknown_fields = true;
    std::uint64_t requests = 0;
    double seconds = 0;
    double rate = 0;
    std::uint64_t errors = 0;
    std::uint64_t unanswered = 0;
    std::optional<std::string> first_error{};
    latencies latency{};
    std::string io{};
    double client_cpu_seconds = 0;
};

// Returns the path of the load generator: installed beside the tool, or in the tool's build folder.
std::string generator() {
    const fs::path above = system::own_program().parent_path().parent_path();
    std::error_code none;
    for (const fs::path& each : {above / "libexec/apus/apus-load", above / "bench/load"})
        if (fs::exists(each, none)) return each.string();
    throw errors::failure("E0313", "load generator not found in `" + (above / "libexec/apus").string() + "`",
                          "`./apus install` in a checkout of Apus installs the tool with its load generator");
}

std::vector<std::string> words_of(const load& what) {
    std::vector<std::string> words{generator(),
                                   "--port",
                                   what.port,
                                   "--connections",
                                   std::to_string(what.connections),
                                   "--threads",
                                   std::to_string(what.threads),
                                   "--seconds",
                                   std::to_string(what.seconds),
                                   "--timeout",
                                   "2",
                                   "--path",
                                   what.path,
                                   "--method",
                                   what.what.method,
                                   "--expect-status",
                                   kept_of(what.what).status};
    for (const std::string& header : what.what.headers) words.insert(words.end(), {"--header", header});
    if (!what.what.body_file.empty()) words.insert(words.end(), {"--body-file", what.what.body_file});
    else if (what.what.body) words.insert(words.end(), {"--body", *what.what.body});
    if (what.rate != 0) words.insert(words.end(), {"--rate", std::to_string(what.rate)});
    return words;
}

}  // namespace

load_result run_load(const load& what) {
    const system::outcome ended = system::run({.words = words_of(what)});
    const auto read = apus::from_json<printed>(ended.out);
    // exit status 1: some requests failed, and the JSON contains their number
    if (ended.status > 1 || !read)
        throw errors::failure("E0313",
                              "the load generator ended with status " + std::to_string(ended.status) +
                                  (ended.error.empty() ? "" : ": " + ended.error.substr(0, ended.error.find('\n'))),
                              "`apus explain E0313` lists the causes");
    return {.figures = {.requests = read->requests,
                        .errors = read->errors,
                        .unanswered = read->unanswered,
                        .requests_per_second = read->rate,
                        .p50 = read->latency.p50,
                        .p99 = read->latency.p99,
                        .p999 = read->latency.p999},
            .cpu_seconds = read->client_cpu_seconds,
            .seconds = read->seconds,
            .io = read->io,
            .first_error = read->first_error};
}

}  // namespace apus::cli::bench
