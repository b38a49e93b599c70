// SPDX-License-Identifier: Apache-2.0
#include "http/core.hpp"

#include "http/connection.hpp"
#include "http/h1/core.hpp"
#include "http/request_trace.hpp"
#include "http/served_exchange.hpp"

#include <algorithm>
#include <ctime>
#include <span>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace apus::http {

namespace {

std::uint64_t milliseconds_of(duration d) noexcept { return static_cast<std::uint64_t>(d.milliseconds()); }

}  // namespace

core::core(runtime::loop& on, service& answering, const limits& l) noexcept
    : loop(on), app(answering), bounds(l), idle_time_(milliseconds_of(l.idle)) {
    retire_.of = this;
    retire_.run = [](runtime::deferred& d) noexcept { static_cast<retire_call&>(d).of->retired_.clear(); };
    ended_.of = this;
    ended_.run = [](runtime::deferred& d) noexcept { static_cast<ended_requests&>(d).of->count_durations(); };
}

core::~core() {
    loop.forget(retire_);
    loop.forget(ended_);
}

connection& core::open(int fd, runtime::protocols spoken) {
    auto opened = std::make_unique<connection>(fd);
    open(*opened, spoken);
    return *opened.release();
}

void core::retire(std::unique_ptr<protocol> replaced) {
    retired_.push_back(std::move(replaced));
    loop.later(retire_);
}

std::uint64_t core::nanoseconds() noexcept {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

// If the previous turn was long, the input may have arrived during that turn. Only the kernel knows this time of
// arrival, in milliseconds. The system call is made only after a long turn; most turns are far shorter.
std::uint64_t core::readable_since(int fd) const noexcept {
    const auto& clock = loop.io().clock();
    if (clock.since_last() < long_turn) return clock.nanoseconds();
    tcp_info info{};
    socklen_t size = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return clock.nanoseconds();
    const std::uint64_t waited = std::min(std::uint64_t{info.tcpi_last_data_recv} * 1'000'000, clock.since_last());
    return clock.nanoseconds() - (waited < long_turn ? 0 : waited);
}

std::string_view core::target_in_logs(const exchange& x) const noexcept {
    const bool whole = !x.plan || x.plan->in_logs == logged::target;
    return whole ? x.text(x.head.target) : app.logged_target(x);
}

std::string_view core::path_in_logs(const exchange& x) const noexcept {
    if (x.plan && x.plan->in_logs == logged::route) return {};
    const std::string_view path = x.plan ? x.text(x.head.path) : x.text(x.head.target);
    return path.substr(0, path.find('?'));
}

// This function is called for each request, so it avoids reading a clock. Without a counter of cycles, it reads the
// clock that the kernel updates at each tick.
bool core::took_long(const served_exchange& x) const noexcept {
    if (!x.started || x.tunnel) return false;
    const auto& clock = loop.io().clock();
    const std::uint64_t due = x.started + request_history::least_slow;
    if (clock.nanoseconds() >= due) return true;
    if (clock.is_short_turn()) [[likely]]
        return false;
    return clock.nanoseconds_of(runtime::cycles_of_a_millisecond ? CLOCK_MONOTONIC : CLOCK_MONOTONIC_COARSE) >= due;
}

void core::list_in_flight(served_exchange& x) noexcept {
    if (keeps_requests && !x.is_listed()) in_flight.add(x);
}

// Whether the request may belong to a list, and must leave that of the requests in flight. Calls no function, so that
// `count_end` saves no registers.
inline bool core::watches(const served_exchange& x, int status) const noexcept {
    const auto& clock = loop.io().clock();
    return keeps_requests && (x.is_listed() || status >= 400 || !clock.is_short_turn() ||
                              clock.nanoseconds() >= x.started + request_history::least_slow);
}

void core::count_end(served_exchange& x, int status) noexcept {
    if (x.trace || watches(x, status)) [[unlikely]]
        return count_watched(x, status);
    count_request(x, status);
}

void core::count_watched(served_exchange& x, int status) noexcept {
    count_request(x, status);
    if (x.trace) {
        const std::uint64_t end = end_trace(x, status, app.matched_route(x), target_in_logs(x));
        if (end && x.trace->is_recorded() && x.started && !x.tunnel)
            counters_of(x).exemplars.add(*x.trace, x.started, end);
    }
    if (!keeps_requests) return;
    if (x.is_listed()) in_flight_list::remove(x);
    const bool slow = took_long(x);
    if (status >= 400 || slow) [[unlikely]]
        keep_ended(*this, x, status, slow, counters_of(x).history);
}

inline route_counters& core::counters_of(const served_exchange& x) noexcept {
    return x.plan && x.plan->record && x.plan->record->counters ? *x.plan->record->counters : counts.unmatched;
}

inline void core::count_request(const served_exchange& x, int status) noexcept {
    route_counters* const to = &counters_of(x);
    if (x.plan) ++counts.requests_ended;
    ++to->responses[metrics::status_class(status)];
    if (x.body_bytes) to->received += x.body_bytes;
    if (x.response_bytes) to->sent += x.response_bytes;
    if (x.tunnel) return ++counts.upgrades_ended, void();
    if (!x.started) return;
    if (ended_.count) {
        auto& last = ended_.entries[ended_.count - 1];
        if (last.durations == &to->durations && last.started == x.started) return ++last.requests, void();
    }
    add_ended(to->durations, x.started);
}

void core::add_ended(base::duration_counts& to, std::uint64_t started) noexcept {
    if (ended_.count == ended_requests::most) count_durations();
    ended_.entries[ended_.count++] = {&to, started, 1};
    loop.later(ended_);
}

void core::add_longer(const ended_requests::entry& of, std::uint64_t now) noexcept {
    const std::uint64_t took = now > of.started ? now - of.started : 0;
    of.durations->add(base::duration_counts::place(took), took, of.requests);
}

void core::count_durations() noexcept {
    const std::uint64_t now = nanoseconds(), turn = loop.io().clock().nanoseconds();
    const std::uint64_t lasted = now > turn ? now - turn : 0;
    const base::duration_counts::place place(lasted);
    counts.turns.add(place.bucket, lasted, 1);
    if (lasted >= long_turn) long_turn_ = turn;
    for (const auto& each : std::span(ended_.entries, ended_.count)) {
        // Most requests begin and end in the same turn.
        if (each.started == turn) [[likely]]
            each.durations->add(place, lasted, each.requests);
        else add_longer(each, now);
    }
    ended_.count = 0;
}

void core::drain(drain_cause why, duration idle) {
    draining = true;
    draining_for = why;
    idle_grace = idle;
    idle_time_ = milliseconds_of(std::min(idle, bounds.idle));
    for (connection* c = first; c;) {
        connection* next = c->next();
        c->drain();
        c = next;
    }
}

std::unique_ptr<core> make_core(runtime::loop& on, service& answering, const limits& l) {
    return std::make_unique<h1::core>(on, answering, l);
}

}  // namespace apus::http
