// SPDX-License-Identifier: Apache-2.0
#include "server/profiles.hpp"

#include "profiling/cpu_sampler.hpp"
#include "profiling/heap.hpp"
#include "profiling/profile.hpp"
#include "runtime/blocking.hpp"
#include "server/blocked_times.hpp"
#include "server/request_summary.hpp"

#include <apus/app.hpp>
#include <apus/query.hpp>
#include <apus/rules.hpp>
#include <apus/sleep.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace apus::server {
namespace {

using profiling::cpu_sampler;
using profiling::profile;

constexpr int longest_profile = 60;  // seconds
constexpr auto step = milliseconds(100);

struct profile_request {
    integer<1, longest_profile> seconds = 30;
};

std::int64_t unix_nanoseconds() {
    return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

response file_of(profile&& p) {
    response made;
    made.body(std::move(p).finish(), "application/octet-stream").header("cache-control", "no-store");
    return made;
}

std::size_t copy_route(std::span<char> to) noexcept {
    const std::string_view route = request_summary::here().route;
    return static_cast<std::size_t>(std::ranges::copy(route.substr(0, to.size()), to.begin()).out - to.begin());
}

response file_of(const cpu_sampler& samples, std::int64_t began, std::int64_t duration) {
    constexpr profile::value_type values[] = {{"samples", "count"}, {"cpu", "nanoseconds"}};
    profile made(values);
    made.period({"cpu", "nanoseconds"}, cpu_sampler::period);
    made.time(began, duration);
    for (const auto& [sample, count] : samples.samples()) {
        const std::int64_t numbers[] = {count, count * cpu_sampler::period};
        const std::string thread = samples.thread_name(sample.thread);
        const profile::label labels[] = {{"thread", thread}, {"route", sample.label}};
        made.add(sample.stack, numbers, labels);
    }
    if (const auto dropped = samples.dropped())
        made.comment(std::to_string(dropped) + " samples were dropped, since a buffer was full");
    return file_of(std::move(made));
}

task<response> cpu_profile(query<profile_request> wanted) {
    auto started = cpu_sampler::start(copy_route);
    if (!started) co_await fail(409, std::move(started.error())).expose();
    const std::unique_ptr<cpu_sampler> samples = std::move(*started);
    const std::int64_t began = unix_nanoseconds();
    for (std::int64_t left = wanted->seconds * std::int64_t{10}; left > 0; --left) {
        co_await sleep_for(step);
        samples->collect();
    }
    co_return file_of(*samples, began, unix_nanoseconds() - began);
}

result<response> heap_profile() {
    const auto sites = profiling::heap_sites();
    if (!sites) return fail(404, "the program has no heap profile: it does not contain APUS_PROFILE_HEAP()").expose();
    constexpr profile::value_type values[] = {
        {"alloc_objects", "count"}, {"alloc_space", "bytes"}, {"inuse_objects", "count"}, {"inuse_space", "bytes"}};
    profile made(values);
    made.period({"space", "bytes"}, profiling::heap_period);
    for (const auto& s : *sites) {
        const std::int64_t numbers[] = {s.allocated, s.allocated_bytes, s.live, s.live_bytes};
        made.add(s.stack, numbers, {});
    }
    return file_of(std::move(made));
}

response block_profile(const blocked_times& blocked, const runtime::blocking_threads& threads) {
    constexpr std::int64_t millisecond = 1'000'000;
    constexpr profile::value_type values[] = {{"contentions", "count"}, {"delay", "nanoseconds"}};
    profile made(values);
    made.period({"contentions", "count"}, 1);
    for (const auto& [where, total] : blocked.totals()) {
        const std::int64_t numbers[] = {total.count, total.milliseconds * millisecond};
        const profile::label labels[] = {{"route", where.route}};
        if (!where.stack.empty()) made.add(where.stack, numbers, labels);
        else made.add("blocked core, without a stack: see serve_options::blocked_stack", numbers, labels);
    }
    const auto now = threads.now();
    const std::int64_t waits[] = {static_cast<std::int64_t>(now.calls),
                                  static_cast<std::int64_t>(now.nanoseconds_waited)};
    if (now.calls) made.add("apus::blocking: wait for a thread", waits, {});
    return file_of(std::move(made));
}

}  // namespace

void add_profiles(router& to, const blocked_times& blocked, const runtime::blocking_threads& threads) {
    to.get("/debug/pprof/heap", heap_profile);
    to.get("/debug/pprof/block", [&blocked, &threads] { return block_profile(blocked, threads); });
    // The deadline of a handler is 30 s by default, which is shorter than a profile.
    to.get("/debug/pprof/profile", cpu_profile, {.handler = seconds(longest_profile + 30)});
}

}  // namespace apus::server
