// SPDX-License-Identifier: Apache-2.0
#include <apus/log.hpp>

#include "http/request_trace.hpp"
#include "server/last_records.hpp"
#include "server/log_context.hpp"
#include "server/log_settings.hpp"
#include "server/log_sink.hpp"
#include "tracing/log_recorder.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>

#include <unistd.h>

namespace apus::log {

constinit std::uint8_t detail::threshold = 0;

namespace {

using server::log_format;
using server::log_sink;

std::atomic<const log_sink*> opened = nullptr;

// Never destroyed: threads may record until the process ends.
log_sink* open_sink() {
    const char* said = std::getenv("APUS_LOG");
    const auto settings = server::read_log_settings(said ? said : "");
    const auto by_output = isatty(2) ? log_format::logfmt : log_format::json;
    const auto used = settings.value_or(server::log_settings());
    std::uint8_t unread = 0;  // value of the threshold if `show` has not been called yet
    __atomic_compare_exchange_n(&detail::threshold, &unread, static_cast<std::uint8_t>(used.least), false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    auto* sink = new log_sink({.fd = 2, .format = used.format.value_or(by_output)});
    std::atexit(server::write_last_records);
    opened.store(sink, std::memory_order_release);
    if (!settings) {
        const field fields[] = {{"value", said}, {"known", "trace debug info warn error off json logfmt"}};
        sink->record(level::warn, "log: APUS_LOG is invalid and is ignored", fields);
    }
    return sink;
}

log_sink& process_sink() {
    static log_sink* const sink = open_sink();
    return *sink;
}

void record(log_sink& sink, level of, std::string_view message, std::span<const field> fields) noexcept {
    sink.record(of, message, fields);
    if (of >= tracing::least_exported.load(std::memory_order_relaxed)) [[unlikely]]
        tracing::export_record(of, message, fields, http::recorded_trace(http::exchange_here()));
}

}  // namespace

void detail::write(level of, std::string_view message, const field* fields, std::size_t count) noexcept {
    auto& sink = process_sink();
    if (!enabled(of)) return;
    const std::span<const field> given(fields, count);
    if (!server::fields_of_request::any()) return record(sink, of, message, given);
    record(sink, of, message, server::fields_of_request(given).all());
}

void show(level least) noexcept {
    __atomic_store_n(&detail::threshold, static_cast<std::uint8_t>(least), __ATOMIC_RELAXED);
}

bool flush(duration longest) noexcept { return process_sink().flush(std::chrono::nanoseconds(longest.nanoseconds())); }

void access(const access_entry& e) noexcept {
    info("request", {"method", e.method}, {"target", e.target}, {"status", e.status}, {"bytes", e.bytes},
         {"us", e.microseconds}, {"peer", e.peer}, e.request_id.empty() ? field() : field("request_id", e.request_id));
}

}  // namespace apus::log

namespace apus {

// The limit of 1 s is for all calls together, so that a blocked output delays the exit only once.
void server::write_last_records() noexcept {
    using clock = std::chrono::steady_clock;
    using std::chrono::nanoseconds;
    static std::atomic<std::int64_t> left = 1'000'000'000;
    const auto until = clock::now() + nanoseconds(left.load());
    if (log::process_sink().flush(until - clock::now())) return;
    left = std::max(nanoseconds(until - clock::now()).count(), std::int64_t{0});
}

std::uint64_t server::dropped_records() noexcept {
    const log_sink* const sink = log::opened.load(std::memory_order_acquire);
    return sink ? sink->dropped_in_total() : 0;
}

void server::write_crash_record(std::string_view message, std::span<const log::field> fields) noexcept {
    const log_sink* const sink = log::opened.load(std::memory_order_acquire);
    if (sink && log::enabled(log::level::error)) sink->write_now(log::level::error, message, fields);
}

}  // namespace apus
