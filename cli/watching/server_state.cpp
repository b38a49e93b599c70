// SPDX-License-Identifier: Apache-2.0
#include "cli/watching/server_state.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include <apus/json.hpp>

#include "cli/watching/metrics_text.hpp"

namespace apus::cli::watching {

namespace {

constexpr std::size_t max_cores = 4096;

core_figures* core_of(server_state& to, std::string_view number) {
    std::size_t index = max_cores;
    std::from_chars(number.data(), number.data() + number.size(), index);
    if (index >= max_cores) return nullptr;
    if (to.cores.size() <= index) to.cores.resize(index + 1);
    return &to.cores[index];
}

void add_requests(route_figures& to, std::string_view status, double value) {
    to.requests += value;
    if (status == "4xx") to.rejected += value;
    if (status == "5xx") to.failed += value;
}

void add_bucket(route_figures& to, std::string_view bound, double value) {
    double seconds = std::numeric_limits<double>::infinity();
    if (bound != "+Inf") std::from_chars(bound.data(), bound.data() + bound.size(), seconds);
    to.buckets[seconds] = value;
}

void add(server_state& to, const sample& s) {
    const auto route = [&]() -> route_figures& {
        return to.routes[{std::string(s.label("route")), std::string(s.label("method"))}];
    };
    if (s.name == "http_server_requests_total") add_requests(route(), s.label("status"), s.value);
    else if (s.name == "http_server_request_duration_seconds_bucket") add_bucket(route(), s.label("le"), s.value);
    else if (s.name == "apus_connections") (s.label("protocol") == "http2" ? to.http2 : to.http1) += s.value;
    else if (s.name == "apus_ready") to.ready = s.value != 0;
    else if (s.name == "apus_memory_budget_bytes") to.memory_budget = s.value;
    else if (s.name == "process_cpu_seconds_total") to.cpu_seconds = s.value;
    else if (s.name == "process_resident_memory_bytes") to.resident = s.value;
    else if (s.name == "process_start_time_seconds") to.started = s.value;
    else if (s.name == "apus_build_info") to.version = s.label("version"), to.io = s.label("io");
    else if (s.name == "apus_core_cpu_seconds_total") {
        if (auto* const core = core_of(to, s.label("core"))) core->cpu_seconds = s.value;
    } else if (s.name == "apus_core_memory_bytes") {
        if (auto* const core = core_of(to, s.label("core"))) core->memory = s.value;
    }
}

}  // namespace

std::optional<server_state> read_state(std::string_view metrics, std::string_view requests) {
    const auto samples = parse_metrics(metrics);
    auto listed = from_json<listed_requests>(requests, {.ignore_unknown_fields = true});
    if (!samples || !listed) return std::nullopt;
    server_state made;
    for (const sample& each : *samples) add(made, each);
    if (made.version.empty()) return std::nullopt;
    made.requests = *std::move(listed);
    return made;
}

std::optional<double> quantile(double share, const route_figures& now, const route_figures* before) {
    if (now.buckets.empty()) return std::nullopt;
    const auto count = [&](double bound) {
        const auto at = now.buckets.find(bound);
        const double all = at == now.buckets.end() ? 0 : at->second;
        if (!before) return all;
        const auto earlier = before->buckets.find(bound);
        return all - (earlier == before->buckets.end() ? 0 : earlier->second);
    };
    const double wanted = share * count(now.buckets.rbegin()->first);
    if (!(wanted > 0)) return before ? quantile(share, now, nullptr) : std::nullopt;
    double low = 0, below = 0;
    for (const auto& [bound, cumulative] : now.buckets) {
        const double here = count(bound);
        if (here >= wanted) return std::isinf(bound) ? low : low + (bound - low) * (wanted - below) / (here - below);
        low = bound, below = here;
    }
    return low;
}

}  // namespace apus::cli::watching
