// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/bench/request.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::bench {

/// Options of `apus bench`.
struct bench_options {
    std::string preset = "release";
    std::vector<std::string> paths{};  ///< Empty: all routes of the method without captures.
    request what{};
    std::uint64_t connections = 16;
    std::uint64_t seconds = 5;  ///< Duration per path, over five rounds.
    std::uint64_t rate = 0;     ///< Requests/s at constant intervals; 0: as fast as responses arrive.
    std::string save{};         ///< Name under which the report is saved in build/bench; empty: not saved.
    std::string compare{};      ///< Name of the saved report to compare with; empty: no comparison.
    bool json = false;
    std::vector<std::string> arguments{};  ///< Arguments of the program.
};

/// Builds and starts the project's program, measures it under load and prints the figures.
/// Rounds alternate between the paths. With at least two CPUs, server and load generator run on separate CPUs. Warns
/// about conditions that make the figures less reliable. Returns false if a figure is worse than in the report
/// `compare`. Throws E0312 if no path can be measured, E0313 if the load generator is missing or fails, and E0314 if
/// the reports cannot be compared.
bool measure(const bench_options& options, terminal::shell& shell);

/// Builds bench/NAME_bench.cpp and runs it in the terminal. Returns its exit status.
/// Throws E0312 if the file does not exist.
int run_benchmark(const std::string& name, const std::string& preset, const std::vector<std::string>& arguments,
                  terminal::shell& shell);

}  // namespace apus::cli::bench
