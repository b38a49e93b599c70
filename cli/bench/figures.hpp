// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench/request.hpp"

namespace apus::cli::bench {

/// One measurement of a path. Times are in microseconds.
struct round {
    std::uint64_t requests = 0;
    std::uint64_t errors = 0;
    std::uint64_t unanswered = 0;  ///< At a fixed rate: requests without a response at the end of the round.
    double requests_per_second = 0;
    double p50 = 0, p99 = 0, p999 = 0;  ///< Latency.
    double cpu_per_request = 0;         ///< CPU time of the server, in microseconds.
};

/// A path and its measured rounds.
struct measured_path {
    std::string path;
    std::vector<round> rounds{};
    std::optional<std::string> first_error{};
};

/// Results of `apus bench`, with the conditions of the measurement.
struct report {
    std::uint64_t connections = 0;
    double seconds = 0;  ///< Duration of each round.
    std::uint64_t server_cpus = 0;
    bool apart = false;      ///< Whether load generator and server ran on separate CPUs.
    double others = 0;       ///< Fraction of the CPU time that other programs used, from 0 to 1.
    double load = 0;         ///< CPU utilization of the load generator's threads, from 0 to 1.
    std::uint64_t rate = 0;  ///< Requests/s; 0: as fast as responses arrive.
    std::string io{};        ///< I/O backend of the load generator: "io_uring" or "epoll". Empty: not yet known.
    recorded_request request{};
    std::vector<measured_path> paths{};
};

/// Median, minimum and maximum of the rounds.
struct summary {
    double median = 0, least = 0, greatest = 0;

    /// Returns the largest deviation of a round from the median, in percent of the median.
    double spread() const noexcept;
};

summary summary_of(const measured_path& of, double round::* figure);

/// Returns the report as a table with one line per path.
std::string text_of(const report& of);

/// Returns how the conditions of two reports differ.
/// Example: "at 500 requests/s, now at 1000 requests/s". Empty if the reports can be compared.
std::string condition_differences(const report& before, const report& now);

/// A figure of a path that is significantly better or worse than in the earlier report.
/// Significant means that the ranges of the rounds do not overlap. With five rounds each, this happens by chance once
/// in 126 comparisons.
struct difference {
    std::string text;  ///< One line of text.
    bool worse = false;
};

std::vector<difference> differences(const report& before, const report& now);

/// Returns the report as JSON in one line.
std::string json_of(const report& of);

/// Reads the output of `json_of`. Throws E0314 if the file is malformed.
report read_report(const std::filesystem::path& file);

}  // namespace apus::cli::bench
