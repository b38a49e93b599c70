// SPDX-License-Identifier: Apache-2.0
#include "server/metrics_page.hpp"

#include "http/connection.hpp"
#include "operations/library_metrics.hpp"
#include "operations/process_stats.hpp"
#include "operations/program_metrics.hpp"
#include "operations/route_metrics.hpp"
#include "runtime/security.hpp"
#include "server/core_thread.hpp"
#include "server/last_records.hpp"
#include "server/watchdog.hpp"
#include "tracing/log_recorder.hpp"
#include "tracing/recorder.hpp"
#include "tracing/setup.hpp"

#include <algorithm>
#include <ctime>
#include <string>
#include <utility>

#include <pthread.h>

namespace apus::server {
namespace {

using http::metrics;
using operations::exposition;
using operations::metric_type;
using operations::sample_label;

/// A counter of `http::metrics` under its name, with at most one label.
struct counter_row {
    std::string_view name, help, label, value;
    base::counter metrics::* of;
};

// Rows of one name are adjacent.
constexpr counter_row counter_rows[] = {
    {"apus_connections_opened_total", "Connections opened.", {}, {}, &metrics::connections_opened},
    {"apus_connections_refused_total", "Connections closed at once because of a limit, by limit.", "limit",
     "connections", &metrics::connections_refused},
    {"apus_connections_refused_total", {}, "limit", "connections_per_address", &metrics::addresses_refused},
    {"apus_connections_refused_total", {}, "limit", "memory", &metrics::memory_connections},
    {"apus_tls_handshakes_total", "TLS handshakes by outcome; resumed ones are also completed.", "outcome", "completed",
     &metrics::handshakes},
    {"apus_tls_handshakes_total", {}, "outcome", "resumed", &metrics::handshakes_resumed},
    {"apus_tls_handshakes_total", {}, "outcome", "failed", &metrics::handshakes_failed},
    {"apus_tls_handshakes_total", {}, "outcome", "evicted", &metrics::handshakes_refused},
    {"apus_proxy_headers_refused_total",
     "Connections closed for their PROXY header.",
     {},
     {},
     &metrics::proxy_headers_refused},
    {"apus_requests_rejected_total", "Requests rejected by the server, not by a handler, by reason.", "reason",
     "invalid", &metrics::refusals},
    {"apus_requests_rejected_total", {}, "reason", "head_too_large", &metrics::heads_refused},
    {"apus_requests_rejected_total", {}, "reason", "body_too_large", &metrics::bodies_refused},
    {"apus_requests_rejected_total", {}, "reason", "rate", &metrics::rates_refused},
    {"apus_requests_rejected_total", {}, "reason", "deadline", &metrics::deadlines},
    {"apus_requests_rejected_total", {}, "reason", "memory", &metrics::memory_refusals},
    {"apus_requests_cancelled_total",
     "Handlers cancelled because the client disconnected.",
     {},
     {},
     &metrics::cancelled},
    {"apus_responses_aborted_total",
     "Streamed responses that failed after their head was sent.",
     {},
     {},
     &metrics::responses_aborted},
    {"apus_connections_evicted_total", "Connections closed for lack of memory.", {}, {}, &metrics::memory_cuts},
    {"apus_upgrades_total",
     "Connections and streams that became tunnels, such as WebSockets.",
     {},
     {},
     &metrics::upgrades},
    {"apus_http2_attacks_stopped_total", "HTTP/2 connections and responses aborted to stop an attack, by kind.", "kind",
     "reset", &metrics::h2_resets},
    {"apus_http2_attacks_stopped_total", {}, "kind", "flood", &metrics::h2_floods},
    {"apus_http2_attacks_stopped_total", {}, "kind", "window_held", &metrics::h2_windows_held},
};

using apps_and_cores = std::vector<std::unique_ptr<core_thread>>;

std::uint64_t sum(const apps_and_cores& cores, base::counter metrics::* of) {
    std::uint64_t total = 0;
    for (const auto& core : cores)
        core->inspect([&](const web::application&, const http::core& c) { total += c.counts.*of; });
    return total;
}

// The counters are read one after the other and change meanwhile, so `more` may be less than `less`; the result is then
// 0.
double difference(const apps_and_cores& cores, base::counter metrics::* more, base::counter metrics::* less) {
    const std::uint64_t subtracted = sum(cores, less), from = sum(cores, more);
    return static_cast<double>(from > subtracted ? from - subtracted : 0);
}

void write_counters(exposition& to, const apps_and_cores& cores) {
    std::string_view last;
    for (const auto& row : counter_rows) {
        if (row.name != last) to.family(row.name, metric_type::counter, row.help);
        last = row.name;
        const sample_label label{row.label, row.value};
        to.sample(row.label.empty() ? operations::sample_labels() : operations::sample_labels(&label, 1),
                  sum(cores, row.of));
    }
}

// An HTTP/1.1 connection has at most one request in flight, so its requests in flight are active connections. A
// connection speaks HTTP/1.1 until the client's HTTP/2 preface, and no protocol yet during a TLS handshake.
void write_connections(exposition& to, const apps_and_cores& cores) {
    const auto rest = [](double of, double part) { return std::max(of - part, 0.0); };
    const double in_flight = difference(cores, &metrics::requests, &metrics::requests_ended);
    const double h2_in_flight = difference(cores, &metrics::h2_requests, &metrics::h2_requests_ended);
    const double h2 = difference(cores, &metrics::h2_connections, &metrics::h2_closed);
    const double all = difference(cores, &metrics::connections_opened, &metrics::connections_closed);
    const double handshakes = rest(difference(cores, &metrics::handshakes_begun, &metrics::handshakes),
                                   static_cast<double>(sum(cores, &metrics::handshakes_failed)));
    const double h1 = rest(all, h2 + handshakes);
    const double h1_active = std::min(h1, rest(in_flight, h2_in_flight));
    const double h2_active = std::min(h2, difference(cores, &metrics::h2_activations, &metrics::h2_deactivations));
    to.family("apus_connections", metric_type::gauge, "Open connections by protocol and state.");
    const auto sample = [&](std::string_view protocol, std::string_view state, double count) {
        const sample_label labels[] = {{"protocol", protocol}, {"state", state}};
        to.sample(labels, count);
    };
    sample("http1", "active", h1_active);
    sample("http1", "idle", h1 - h1_active);
    sample("http2", "active", h2_active);
    sample("http2", "idle", h2 - h2_active);
    sample("unknown", "handshake", handshakes);
    to.family("apus_tls_handshakes_in_progress", metric_type::gauge,
              "Connections whose TLS handshake is not complete.");
    to.sample({}, handshakes);
}

void write_open(exposition& to, const apps_and_cores& cores) {
    to.family("apus_requests_in_flight", metric_type::gauge,
              "Requests with a complete head that have not ended, including tunnels.");
    to.sample({}, difference(cores, &metrics::requests, &metrics::requests_ended));
    to.family("apus_tunnels", metric_type::gauge, "Open tunnels, such as WebSockets.");
    to.sample({}, difference(cores, &metrics::upgrades, &metrics::upgrades_ended));
}

// Bytes of sockets, including heads, frames and TLS records.
void write_traffic(exposition& to, const apps_and_cores& cores) {
    constexpr std::pair<std::string_view, unsigned> kinds[] = {{"http1", http::connection::http1_traffic},
                                                               {"http2", http::connection::http2_traffic},
                                                               {"unknown", http::connection::unknown_traffic},
                                                               {"outbound", 0}};
    const auto write = [&](std::string_view name, std::string_view help, auto count) {
        to.family(name, metric_type::counter, help);
        for (const auto& [protocol, kind] : kinds) {
            std::uint64_t total = 0;
            for (const auto& core : cores)
                core->inspect(
                    [&](const web::application&, const http::core& c) { total += c.loop.io().traffic(kind).*count; });
            const sample_label label{"protocol", protocol};
            to.sample({&label, 1}, total);
        }
    };
    using counts = runtime::backend::traffic_counts;
    write("apus_received_bytes_total", "Bytes received by the sockets of the cores, by protocol.", &counts::received);
    write("apus_sent_bytes_total", "Bytes sent by the sockets of the cores, by protocol.", &counts::sent);
}

struct sums_of_exports {
    bool any = false;
    std::uint64_t exported = 0, dropped = 0, failed = 0;

    void add(const tracing::export_counts& counts) noexcept {
        any = true;
        exported += counts.exported;
        dropped += counts.dropped;
        failed += counts.failed;
    }
    void add_losses(std::uint64_t lost) noexcept {
        any = any || lost;
        failed += lost;
    }
};

void write_exports(exposition& to, const apps_and_cores& cores, const tracing::setup* setup) {
    sums_of_exports spans, logs;
    for (const auto& core : cores)
        core->inspect([&](const web::application&, const http::core& c) {
            if (c.traces) spans.add(c.traces->counts);
            if (c.logs) logs.add(c.logs->counts);
        });
    if (setup) {
        spans.add_losses(setup->losses.spans);
        logs.add_losses(setup->losses.log_records);
    }
    const auto counter = [&](std::string_view name, std::string_view help, std::uint64_t value) {
        to.family(name, metric_type::counter, help);
        to.sample({}, value);
    };
    if (spans.any) {
        counter("apus_trace_spans_exported_total", "Spans that the receiver of traces has accepted.", spans.exported);
        counter("apus_trace_spans_dropped_total", "Spans dropped because the queue was full or a trace too long.",
                spans.dropped);
        counter("apus_trace_spans_failed_total", "Spans lost because the receiver refused them or did not answer.",
                spans.failed);
    }
    if (logs.any) {
        counter("apus_log_records_exported_total", "Log records that the receiver of logs has accepted.",
                logs.exported);
        counter("apus_log_records_export_dropped_total", "Log records not exported because the queue was full.",
                logs.dropped);
        counter("apus_log_records_export_failed_total",
                "Log records lost because the receiver refused them or did not answer.", logs.failed);
    }
}

double cpu_seconds(pthread_t thread) {
    clockid_t clock;
    timespec used{};
    if (pthread_getcpuclockid(thread, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

template <class F>
void write_each(exposition& to, const apps_and_cores& cores, std::string_view name, metric_type type,
                std::string_view help, F value) {
    to.family(name, type, help);
    for (std::size_t i = 0; i < cores.size(); ++i)
        cores[i]->inspect([&](const web::application&, const http::core& c) {
            const std::string number = std::to_string(i);
            const sample_label label{"core", number};
            to.sample({&label, 1}, value(*cores[i], c));
        });
}

void write_cores(exposition& to, const apps_and_cores& cores) {
    write_each(to, cores, "apus_core_cpu_seconds_total", metric_type::counter, "CPU time of the core's thread.",
               [](core_thread& t, const http::core&) { return cpu_seconds(t.thread()); });
    const std::uint64_t now = watchdog::clock();
    write_each(
        to, cores, "apus_core_busy_seconds", metric_type::gauge,
        "Duration of the current turn of the event loop; a high value means a blocked core.",
        [now](core_thread& t, const http::core&) { return static_cast<double>(t.doing().busy_time(now)) / 1000; });
    write_each(to, cores, "apus_core_memory_bytes", metric_type::gauge, "Memory held for clients of the core.",
               [](core_thread&, const http::core& c) { return static_cast<double>(c.loop.memory().used()); });
    write_each(to, cores, "apus_core_overloaded_turns_total", metric_type::counter,
               "Turns of the event loop that left ready tasks to later turns.",
               [](core_thread&, const http::core& c) { return c.loop.postponing_turns(); });
    write_each(to, cores, "apus_core_run_queue", metric_type::gauge,
               "Tasks and calls of the core that are ready to run.",
               [](core_thread&, const http::core& c) { return static_cast<double>(c.loop.ready_calls()); });
    operations::duration_sum turns;
    for (const auto& core : cores)
        core->inspect([&](const web::application&, const http::core& c) { turns.add(c.counts.turns); });
    to.family("apus_core_turn_duration_seconds", metric_type::histogram,
              "Loop lag: time from the start of a turn of an event loop until it sends responses.");
    turns.write(to, {});
}

void write_reloads(exposition& to, const reload_counts& counts) {
    to.family("apus_configuration_reloads_total", metric_type::counter, "Reloads of the configuration by outcome.");
    const auto count = [&](std::string_view outcome, std::uint64_t value) {
        const sample_label label{"outcome", outcome};
        to.sample({&label, 1}, value);
    };
    count("changed", counts.changed);
    count("unchanged", counts.unchanged);
    count("refused", counts.refused);
}

void write_shared(exposition& to, shared_state& served, const runtime::blocking_threads& blocking) {
    const auto gauge = [&](std::string_view name, std::string_view help, auto value) {
        to.family(name, metric_type::gauge, help);
        to.sample({}, static_cast<double>(value));
    };
    const auto counter = [&](std::string_view name, std::string_view help, auto value) {
        to.family(name, metric_type::counter, help);
        to.sample({}, value);
    };
    if (served.options.tls)
        gauge("apus_tls_certificate_expiry_timestamp_seconds",
              "When the first of the server's certificates expires, in seconds since 1970-01-01.",
              served.options.tls->expires_at());
    gauge("apus_memory_budget_bytes", "Memory budget for clients (limits::memory).", served.memory.bytes());
    const auto now = blocking.now();
    gauge("apus_blocking_threads", "Threads of apus::blocking.", now.threads);
    gauge("apus_blocking_running", "Calls of apus::blocking that are running.", now.running);
    gauge("apus_blocking_waiting", "Calls of apus::blocking that are waiting for a thread.", now.waiting);
    counter("apus_blocking_calls_total", "Calls of apus::blocking that were started.", now.calls);
    counter("apus_blocking_refused_total", "Calls of apus::blocking rejected because the queue was full.", now.refused);
    counter("apus_blocking_wait_seconds_total", "Time that calls of apus::blocking waited for a thread.",
            static_cast<double>(now.nanoseconds_waited) / 1e9);
    counter("apus_log_records_dropped_total", "Log records dropped because their reader was too slow.",
            dropped_records());
    to.family("apus_build_info", metric_type::gauge, "Version of Apus, compiler and I/O backend; always 1.");
    const sample_label labels[] = {
        {"version", APUS_VERSION}, {"compiler", __VERSION__}, {"io", served.cores[0]->backend()}};
    to.sample(labels, 1.0);
}

}  // namespace

void write_metrics(exposition& to, shared_state& served, const runtime::blocking_threads& blocking) {
    const auto& cores = served.cores;
    operations::route_metrics routes;
    operations::program_metrics own;
    operations::library_metrics libraries;
    for (const auto& core : cores)
        core->inspect([&](const web::application& app, const http::core& c) {
            routes.add(app, c.counts);
            own.add(app);
            libraries.add(c.loop.instruments());
        });
    routes.write(to);
    own.write(to);
    libraries.write(to);
    write_counters(to, cores);
    write_connections(to, cores);
    write_open(to, cores);
    write_traffic(to, cores);
    write_cores(to, cores);
    write_exports(to, cores, served.options.tracing ? served.options.tracing.operator->() : nullptr);
    if (served.reloads) write_reloads(to, *served.reloads);
    write_shared(to, served, blocking);
    operations::describe_process(to);
}

}  // namespace apus::server
