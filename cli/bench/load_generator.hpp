// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/bench/figures.hpp"

namespace apus::cli::bench {

/// What is asked for, where, by how many and how long.
struct load {
    std::string port;
    std::string path;
    const request& what;
    std::uint64_t connections = 1;
    std::uint64_t threads = 1;
    double seconds = 1;
    std::uint64_t rate = 0;  ///< Requests/s; 0: as fast as the answers come.
};

/// What came of it. `cpu_per_request` of the figures is for the caller to fill, who knows the server.
struct load_result {
    round figures{};
    double cpu_seconds = 0;  ///< Of the generator itself.
    double seconds = 0;
    std::string io{};  ///< "io_uring", or "epoll" where that is forbidden.
    std::optional<std::string> first_error{};
};

/// Starts the load generator that is installed with the tool, and waits until it is done. Throws E0313 if it is not
/// there
/// or cannot work here.
load_result run_load(const load& what);

}  // namespace apus::cli::bench
