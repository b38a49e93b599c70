// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/figures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <apus/json.hpp>

#include "cli/errors/failure.hpp"
#include "cli/system/files.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::bench {

namespace {

struct figure {
    double round::* of;
    const char* name;
    bool more_is_better;
};

constexpr figure compared[] = {
    {&round::requests_per_second, "requests/s", true},
    {&round::p99, "p99", false},
    {&round::cpu_per_request, "CPU/request", false},
};

template <class... Values>
std::string formatted(const char* format, Values... values) {
    char line[256];
    return {line, static_cast<std::size_t>(std::clamp(std::snprintf(line, sizeof line, format, values...), 0, 255))};
}

// Formats a duration with three significant digits: "84.1 us", "1.20 ms".
std::string time_text(double microseconds) {
    const bool small = microseconds < 1000;
    const double value = small ? microseconds : microseconds / 1000;
    return formatted("%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, small ? "us" : "ms");
}

std::string text_of(const figure& which, double value) {
    return which.more_is_better ? formatted("%.0f", value) : time_text(value);
}

std::string pace_of(const report& of) {
    return of.rate == 0 ? "without a fixed rate" : "at " + std::to_string(of.rate) + " requests/s";
}

std::uint64_t errors_of(const measured_path& of) {
    std::uint64_t all = 0;
    for (const round& each : of.rounds) all += each.errors;
    return all;
}

}  // namespace

double summary::spread() const noexcept {
    return median > 0 ? std::max(greatest - median, median - least) / median * 100 : 0;
}

summary summary_of(const measured_path& of, double round::* figure) {
    std::vector<double> values;
    values.reserve(of.rounds.size());
    for (const round& each : of.rounds) values.push_back(each.*figure);
    std::ranges::sort(values);
    if (values.empty()) return {};
    const std::size_t middle = values.size() / 2;
    return {values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2, values.front(),
            values.back()};
}

std::string text_of(const report& of) {
    std::size_t width = 4;
    for (const measured_path& each : of.paths) width = std::max(width, each.path.size());
    std::string text =
        formatted("%-*s  %10s         %9s %9s %9s %12s %7s\n", static_cast<int>(std::min<std::size_t>(width, 80)),
                  "path", "requests/s", "p50", "p99", "p99.9", "CPU/request", "errors");
    for (const measured_path& each : of.paths) {
        const summary rate = summary_of(each, &round::requests_per_second);
        text += each.path + std::string(width - each.path.size(), ' ');
        text += formatted("  %10.0f +-%3.0f %% %9s %9s %9s %12s %7lu\n", rate.median, rate.spread(),
                          time_text(summary_of(each, &round::p50).median).c_str(),
                          time_text(summary_of(each, &round::p99).median).c_str(),
                          time_text(summary_of(each, &round::p999).median).c_str(),
                          time_text(summary_of(each, &round::cpu_per_request).median).c_str(),
                          static_cast<unsigned long>(errors_of(each)));
    }
    return text;
}

std::string condition_differences(const report& before, const report& now) {
    if (before.connections != now.connections || before.server_cpus != now.server_cpus || before.apart != now.apart)
        return "with " + text::counted(before.connections, "connection") + " and " +
               text::counted(before.server_cpus, "CPU") + " for the server, now " + std::to_string(now.connections) +
               " and " + std::to_string(now.server_cpus);
    if (before.rate != now.rate) return pace_of(before) + ", now " + pace_of(now);
    if (!now.io.empty() && before.io != now.io) return "with the load generator on " + before.io + ", now " + now.io;
    if (before.request.fingerprint == now.request.fingerprint) return {};
    const std::string was = text_of(before.request), is = text_of(now.request);
    return was == is ? "with different headers or a different body" : "with " + was + ", now with " + is;
}

std::vector<difference> differences(const report& before, const report& now) {
    std::vector<difference> found;
    for (const measured_path& each : now.paths) {
        const auto then = std::ranges::find(before.paths, each.path, &measured_path::path);
        if (then == before.paths.end()) continue;
        for (const figure& which : compared) {
            if (now.rate != 0 && which.more_is_better) continue;  // a fixed rate determines the throughput
            const summary was = summary_of(*then, which.of), is = summary_of(each, which.of);
            const bool more = is.least > was.greatest, less = is.greatest < was.least;
            if ((!more && !less) || was.median <= 0) continue;
            const bool worse = more != which.more_is_better;
            found.push_back({each.path + ": " + which.name + " " + text_of(which, is.median) + ", was " +
                                 text_of(which, was.median) + ": " +
                                 formatted("%.1f %% ", std::abs(is.median / was.median - 1) * 100) +
                                 (more ? "more" : "less"),
                             worse});
        }
    }
    return found;
}

std::string json_of(const report& of) { return apus::to_json(of) + "\n"; }

report read_report(const std::filesystem::path& file) {
    auto read = apus::from_json<report>(system::read_file(file));
    if (!read)
        throw errors::failure("E0314", "`" + file.string() + "` does not contain figures of `apus bench`",
                              "`apus bench --save NAME` replaces the file");
    return std::move(*read);
}

}  // namespace apus::cli::bench
