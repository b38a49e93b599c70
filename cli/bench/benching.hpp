// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/bench/request.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::bench {

/// What to measure, and what to do with it.
struct bench_options {
    std::string preset = "release";
    std::vector<std::string> paths{};  ///< None: each route of the method without values in its path.
    request what{};
    std::uint64_t connections = 16;
    std::uint64_t seconds = 5;  ///< For each path, in five rounds.
    std::uint64_t rate = 0;     ///< Requests/s, at even distances; 0: as fast as the answers come.
    std::string save{};         ///< A name under which the figures are kept in build/bench; empty: they are not.
    std::string compare{};      ///< A name that they are compared with.
    bool json = false;
    std::vector<std::string> arguments{};  ///< For the program.
};

/// Builds and starts the project's program, loads it and prints what it does: rounds that take turns over the paths,
/// server and load on CPUs of their own. Says what makes the figures worth less. Returns false if one is worse than
/// that it is compared with. Throws E0312 if nothing can be measured, E0313 without a load generator, E0314 for
/// figures that cannot be compared with.
bool measure(const bench_options& options, terminal::shell& shell);

/// Builds bench/NAME_bench.cpp and runs it in the terminal. Gives its exit status. Throws E0312 if there is none.
int run_benchmark(const std::string& name, const std::string& preset, const std::vector<std::string>& arguments,
                  terminal::shell& shell);

}  // namespace apus::cli::bench
