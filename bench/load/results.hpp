// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>

#include "histogram.hpp"

namespace load {

enum class trouble : std::uint8_t {
    connect,
    reset,
    closed,
    timeout,
    status,
    body,
    malformed,
    count
};

inline constexpr std::array<std::string_view, std::size_t(trouble::count)> trouble_names{
    "connect", "reset", "closed", "timeout", "status", "body", "malformed"};

/// The results of one thread in a period, or the sum over several threads.
struct results {
    /// Measured from the time at which a request was due; if there is no schedule, from the time at
    /// which it was sent.
    histogram latency;
    histogram sent;  ///< Measured from the time at which the request was sent; used only at a constant rate.
    std::uint64_t requests = 0;
    std::uint64_t reconnects = 0;
    std::uint64_t unanswered = 0;
    std::uint64_t bytes_received = 0, bytes_sent = 0;
    std::array<std::uint64_t, std::size_t(trouble::count)> errors{};
    std::string first_error;
    double seconds = 0;
    double cpu_seconds = 0;

    void fail(trouble kind, std::string_view what, std::uint64_t times = 1) {
        errors[std::size_t(kind)] += times;
        if (first_error.empty()) first_error = what;
    }

    std::uint64_t all_errors() const { return std::accumulate(errors.begin(), errors.end(), std::uint64_t(0)); }

    void add_errors(const results& other) {
        for (std::size_t i = 0; i < errors.size(); ++i) errors[i] += other.errors[i];
        if (first_error.empty()) first_error = other.first_error;
    }

    void add(const results& other) {
        latency.add(other.latency);
        sent.add(other.sent);
        requests += other.requests;
        reconnects += other.reconnects;
        unanswered += other.unanswered;
        bytes_received += other.bytes_received;
        bytes_sent += other.bytes_sent;
        add_errors(other);
        seconds = std::max(seconds, other.seconds);
        cpu_seconds += other.cpu_seconds;
    }
};

}  // namespace load
