// SPDX-License-Identifier: Apache-2.0
#include "server/profiles.hpp"

#include "middleware/single_flight.hpp"
#include "profiling/cpu_sampler.hpp"
#include "profiling/heap.hpp"
#include "profiling/profile.hpp"
#include "runtime/blocking.hpp"
#include "server/blocked_times.hpp"
#include "server/request_summary.hpp"

#include <apus/app.hpp>
#include <apus/blocking.hpp>
#include <apus/query.hpp>
#include <apus/rules.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace apus::server {
namespace {

using profiling::cpu_sampler;
using profiling::profile;
using profiling::symbols;

constexpr int longest_profile = 60;  // seconds
constexpr auto step = milliseconds(100);

struct profile_request {
    integer<1, longest_profile> seconds = 30;
};

std::int64_t unix_nanoseconds() {
    return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

using file = std::shared_ptr<const std::string>;

// Responses share the file: a copy for each of many slow clients could use up the memory.
response response_of(file sent) {
    response made = stream("application/octet-stream", [sent = std::move(sent)](writer& out) -> task<> {
        constexpr std::size_t piece = 64 * 1024;
        for (std::string_view rest = *sent; !rest.empty(); rest.remove_prefix(std::min(piece, rest.size())))
            co_await out.write(rest.substr(0, piece));
    });
    made.header("cache-control", "no-store");
    return made;
}

std::size_t copy_route(std::span<char> to) noexcept {
    const std::string_view route = request_summary::here().route;
    return static_cast<std::size_t>(std::ranges::copy(route.substr(0, to.size()), to.begin()).out - to.begin());
}

std::string cpu_file(symbols& names, const cpu_sampler& samples, std::int64_t began, std::int64_t duration) {
    constexpr profile::value_type values[] = {{"samples", "count"}, {"cpu", "nanoseconds"}};
    profile made(values, names);
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
    return std::move(made).finish();
}

result<std::string> heap_file(symbols& names) {
    const auto sites = profiling::heap_sites();
    if (!sites) return fail(404, "the program has no heap profile: it does not contain APUS_PROFILE_HEAP()").expose();
    constexpr profile::value_type values[] = {
        {"alloc_objects", "count"}, {"alloc_space", "bytes"}, {"inuse_objects", "count"}, {"inuse_space", "bytes"}};
    profile made(values, names);
    made.period({"space", "bytes"}, profiling::heap_period);
    for (const auto& s : *sites) {
        const std::int64_t numbers[] = {s.allocated, s.allocated_bytes, s.live, s.live_bytes};
        made.add(s.stack, numbers, {});
    }
    return std::move(made).finish();
}

std::string block_file(symbols& names, const blocked_times& blocked, const runtime::blocking_threads& threads) {
    constexpr std::int64_t millisecond = 1'000'000;
    constexpr profile::value_type values[] = {{"contentions", "count"}, {"delay", "nanoseconds"}};
    profile made(values, names);
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
    return std::move(made).finish();
}

// Creates profiles on a thread of its own, since the event loop of the administration also answers probes.
// At most one profile of a kind is created at a time, for all requests that wait for it. It is used again for a second.
class profile_maker {
public:
    template <class F>
    task<response> shared(std::string kind, F create) {
        while (true) {
            if (const auto known = known_.find(kind); known != known_.end() && clock::now() < known->second.until)
                co_return response_of(known->second.made);
            if (!flights_.in_flight(kind)) {
                flights_.begin(kind);
                break;
            }
            middleware::single_flight::follower waiting(flights_, kind);
            if (co_await waiting) break;
        }
        middleware::single_flight::leader leader(flights_, kind);
        const file made = std::make_shared<std::string>(co_await create_file(std::move(create)));
        known_.insert_or_assign(kind, entry{made, clock::now() + reuse});
        leader.done();
        co_return response_of(made);
    }

    // Creates a profile for one request.
    template <class F>
    task<std::string> create_file(F create) {
        co_return co_await thread_.run(owning([this, create = std::move(create)]() mutable {
            names_.refresh();
            return create(names_);
        }));
    }

private:
    using clock = std::chrono::steady_clock;
    static constexpr auto reuse = std::chrono::seconds(1);
    struct entry {
        file made;
        clock::time_point until;
    };

    symbols names_;  // used by the thread
    middleware::single_flight flights_;
    std::map<std::string, entry> known_;
    blocking_pool thread_{{.threads = 1}};  // destroyed first
};

task<response> cpu_profile(profile_maker& maker, std::int64_t seconds) {
    auto started = cpu_sampler::start(copy_route);
    if (!started) co_await fail(409, std::move(started.error())).expose();
    std::unique_ptr<cpu_sampler> samples = std::move(*started);
    const std::int64_t began = unix_nanoseconds();
    for (std::int64_t left = seconds * 10; left > 0; --left) {
        co_await sleep_for(step);
        samples->collect();
    }
    const std::int64_t duration = unix_nanoseconds() - began;
    auto create = [owned = std::shared_ptr(std::move(samples)), began, duration](symbols& names) mutable {
        const auto recorded = std::move(owned);  // ends with this call, so that the next profile may start
        return cpu_file(names, *recorded, began, duration);
    };
    co_return response_of(std::make_shared<std::string>(co_await maker.create_file(std::move(create))));
}

}  // namespace

void add_profiles(router& to, const blocked_times& blocked, const runtime::blocking_threads& threads) {
    const auto maker = std::make_shared<profile_maker>();
    to.get("/debug/pprof/heap", [maker] { return maker->shared("heap", heap_file); });
    to.get("/debug/pprof/block", [maker, &blocked, &threads] {
        return maker->shared("block", [&](symbols& names) { return block_file(names, blocked, threads); });
    });
    // The deadline of a handler is 30 s by default, which is shorter than a profile.
    to.get("/debug/pprof/profile",
           [maker](query<profile_request> wanted) { return cpu_profile(*maker, wanted->seconds); },
           {.handler = seconds(longest_profile + 30)});
}

}  // namespace apus::server
