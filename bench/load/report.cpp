// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <cmath>
#include <cstdio>

namespace load {
namespace {

double microseconds(std::uint64_t nanoseconds) { return double(nanoseconds) / 1000; }

std::string quoted(const std::string& text) {
    std::string all = "\"";
    for (const char c : text) {
        char escape[8];
        if (c == '"' || c == '\\') (all += '\\') += c;
        else if (std::uint8_t(c) >= 0x20 && std::uint8_t(c) < 0x7f) all += c;
        else
            all.append(escape, std::size_t(std::snprintf(escape, sizeof escape, "\\u%04x", unsigned(std::uint8_t(c)))));
    }
    return all + '"';
}

void print_latency(const char* name, const histogram& h) {
    std::printf(
        "\"%s\": {\"p50\": %.1f, \"p90\": %.1f, \"p99\": %.1f, \"p999\": %.1f, \"max\": %.1f, \"mean\": %.1f}, ", name,
        microseconds(h.at(50)), microseconds(h.at(90)), microseconds(h.at(99)), microseconds(h.at(99.9)),
        microseconds(h.max()), h.mean() / 1000);
}

// Percentiles in steps of 5 up to 50. From there on, the distance to 100 halves every four steps, so that the last
// steps resolve one request in ten thousand.
void print_percentiles(const histogram& h) {
    std::printf("\"percentiles\": [");
    for (int percent = 0; percent < 50; percent += 5) std::printf("[%d, %.1f], ", percent, microseconds(h.at(percent)));
    for (double left = 50; left >= 0.01; left /= std::exp2(0.25))
        std::printf("[%.5g, %.1f], ", 100 - left, microseconds(h.at(100 - left)));
    std::printf("[99.99, %.1f], [100, %.1f]], ", microseconds(h.at(99.99)), microseconds(h.max()));
}

void print_errors(const results& r) {
    std::printf("\"errors\": %lu, \"error_kinds\": {", r.all_errors());
    const char* between = "";
    for (std::size_t i = 0; i < r.errors.size(); ++i) {
        if (r.errors[i] == 0) continue;
        std::printf("%s\"%s\": %lu", between, trouble_names[i].data(), r.errors[i]);
        between = ", ";
    }
    std::printf("}, \"first_error\": %s, ", r.first_error.empty() ? "null" : quoted(r.first_error).c_str());
}

}  // namespace

void print_report(const options& o, const results& measured, const results& warmed_up) {
    const double rate = measured.seconds > 0 ? double(measured.requests) / measured.seconds : 0;
    std::printf("{\"requests\": %lu, \"seconds\": %.6f, \"rate\": %.1f, ", measured.requests, measured.seconds, rate);
    print_errors(measured);
    std::printf("\"reconnects\": %lu, \"unanswered\": %lu, ", measured.reconnects, measured.unanswered);
    std::printf("\"bytes_received\": %lu, \"bytes_sent\": %lu, ", measured.bytes_received, measured.bytes_sent);
    const bool scheduled = o.rate > 0;
    const double interval = rate > 0 ? double(o.connections) * o.pipeline / rate * 1e9 : 0;
    const auto corrected = scheduled ? measured.latency : measured.latency.corrected(std::uint64_t(interval));
    print_latency("latency", corrected);
    print_latency("latency_uncorrected", scheduled ? measured.sent : measured.latency);
    print_percentiles(corrected);
    std::printf("\"io\": \"%s\", ", o.way == io::uring ? "io_uring" : "epoll");
    std::printf("\"client_cpu_seconds\": %.6f, ", measured.cpu_seconds);
    std::printf("\"warmup\": {\"requests\": %lu, \"seconds\": %.6f}}\n", warmed_up.requests, warmed_up.seconds);
}

}  // namespace load
