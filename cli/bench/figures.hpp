// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench/request.hpp"

namespace apus::cli::bench {

/// A stretch of time in which a path was asked for. Times are in microseconds.
struct round {
    std::uint64_t requests = 0;
    std::uint64_t errors = 0;
    std::uint64_t unanswered = 0;  ///< At a rate: due, and without an answer at the end.
    double requests_per_second = 0;
    double p50 = 0, p99 = 0, p999 = 0;  ///< Of what it took to get an answer.
    double cpu_per_request = 0;         ///< Of the server.
};

/// A path, and what its rounds gave.
struct measured_path {
    std::string path;
    std::vector<round> rounds{};
    std::optional<std::string> first_error{};
};

/// All that a run of `apus bench` found out, and what it was measured with.
struct report {
    std::uint64_t connections = 0;
    double seconds = 0;  ///< Of each round.
    std::uint64_t server_cpus = 0;
    bool apart = false;      ///< Whether the load had other CPUs than the server.
    double others = 0;       ///< Which part of the CPUs other programs took meanwhile: 0 to 1.
    double load = 0;         ///< How busy the load generator's threads were: 0 to 1.
    std::uint64_t rate = 0;  ///< Requests/s; 0: as fast as the answers came.
    std::string io{};        ///< What the load generator used: "io_uring" or "epoll". Empty: not yet known.
    request_kept request{};
    std::vector<measured_path> paths{};
};

/// Median of the rounds, and the least and the greatest.
struct summary {
    double median = 0, least = 0, greatest = 0;

    /// How far the rounds are from the median, in percent of it.
    double spread() const noexcept;
};

summary summary_of(const measured_path& of, double round::* figure);

/// A table: a line for each path.
std::string text_of(const report& of);

/// How figures of `before` were measured other than those of `now`, as "with 3 connections ..., and not with 4 ...", so
/// that they cannot be compared; empty if they can.
std::string measured_otherwise(const report& before, const report& now);

/// What has become better or worse since `before`, for the paths that both have: figures of which no round now is
/// within the rounds of then. Five rounds and five lie apart by chance once in 126 times.
struct difference {
    std::string text;  ///< A line.
    bool worse = false;
};

std::vector<difference> differences(const report& before, const report& now);

/// JSON in one line.
std::string json_of(const report& of);

/// Reads what `json_of` made. Throws E0314 for anything else.
report read_report(const std::filesystem::path& file);

}  // namespace apus::cli::bench
