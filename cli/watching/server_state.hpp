// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::cli::watching {

/// A request in a report of `/debug/requests`; the members have the names of its JSON.
struct listed_request {
    std::string method;
    std::optional<std::string> time, route, path, request_id, trace_id, state;
    std::uint32_t core = 0, status = 0;
    double duration_ms = 0, age_ms = 0;
};

struct listed_core {
    bool answered = true;
    std::uint64_t busy_ms = 0;
};

struct listed_route {
    std::string route, method;
    std::vector<listed_request> slowest, failed, rejected;
};

struct listed_requests {
    std::uint64_t in_flight_count = 0, tunnel_count = 0;
    std::vector<listed_core> cores;
    std::vector<listed_request> in_flight;
    std::vector<listed_route> routes;
};

struct route_figures {
    double requests = 0, rejected = 0, failed = 0;
    std::map<double, double> buckets;  ///< Cumulative number of requests, by upper bound in seconds.
};

struct core_figures {
    double cpu_seconds = 0, memory = 0;
};

/// State of a server at one time. Counters count from the start of the process.
struct server_state {
    double taken = 0;  ///< Seconds of a monotonic clock. Set by the caller.
    double clock = 0;  ///< Seconds since 1970-01-01. Set by the caller.
    std::string version, io;
    bool ready = false;
    double started = 0;  ///< Seconds since 1970-01-01.
    double cpu_seconds = 0, resident = 0, memory_budget = 0;
    double http1 = 0, http2 = 0;                                          ///< Connections.
    std::map<std::pair<std::string, std::string>, route_figures> routes;  ///< By route and method.
    std::vector<core_figures> cores;
    listed_requests requests;
};

/// Reads the bodies of `/metrics` and `/debug/requests`.
/// Returns an empty optional if one is not from an Apus server.
std::optional<server_state> read_state(std::string_view metrics, std::string_view requests);

/// Returns the duration within which a share (0 to 1) of the requests was answered, in seconds.
/// Interpolates within a bucket, as `histogram_quantile` of Prometheus does. Counts the requests since `before`, if
/// there are any, otherwise all. Returns an empty optional if there are no requests.
std::optional<double> quantile(double share, const route_figures& now, const route_figures* before);

}  // namespace apus::cli::watching
