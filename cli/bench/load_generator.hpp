// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/bench/figures.hpp"

namespace apus::cli::bench {

/// A load test: requests, address, connections and duration.
struct load {
    std::string port;
    std::string path;
    const request& what;
    std::uint64_t connections = 1;
    std::uint64_t threads = 1;
    double seconds = 1;
    std::uint64_t rate = 0;  ///< Requests/s; 0: as fast as responses arrive.
};

/// Result of a load test. The caller fills in `cpu_per_request`.
struct load_result {
    round figures{};
    double cpu_seconds = 0;  ///< CPU time of the load generator.
    double seconds = 0;
    std::string io{};  ///< "io_uring", or "epoll" if the system forbids io_uring.
    std::optional<std::string> first_error{};
};

/// Runs the load generator to its end. Throws E0313 if it is not installed or fails.
load_result run_load(const load& what);

}  // namespace apus::cli::bench
