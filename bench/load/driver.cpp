// SPDX-License-Identifier: Apache-2.0
// The sequence of a run: opening connections, the schedule, and the measurement.
#include "driver.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>

namespace load {
namespace {

constexpr std::uint64_t second = 1'000'000'000;
constexpr unsigned opening_at_once = 64;                // half of the smallest usual listen backlog (128)
constexpr std::uint64_t patience_to_open = 3 * second;  // maximum time without progress
constexpr std::uint64_t longest_between_sweeps = second / 2;

std::uint64_t clock_now() { return std::uint64_t(std::chrono::steady_clock::now().time_since_epoch().count()); }

double cpu_seconds() {
    rusage used{};
    ::getrusage(RUSAGE_THREAD, &used);
    const auto of = [](const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; };
    return of(used.ru_utime) + of(used.ru_stime);
}

std::uint64_t nanoseconds(double seconds) { return std::uint64_t(seconds * double(second)); }

}  // namespace

driver::driver(const options& o, const std::vector<batch>& all, const batch& handshake, share part)
    : options_(o),
      batches_(all),
      handshake_(handshake),
      share_(part),
      network_(o.way, part.connections),
      sockets_(o),
      connections_(part.connections),
      next_batch_(part.first_batch) {
    for (unsigned i = 0; i < part.connections; ++i) connections_[i].slot = i;
    if (part.rate > 0) {
        period_ = double(second) * o.pipeline / part.rate;
        ::prctl(PR_SET_TIMERSLACK, 1UL);  // the default timer slack delays requests by 50 us
    }
}

void driver::run(std::barrier<>& threads) {
    now_ = clock_now();
    open_all();
    threads.arrive_and_wait();
    now_ = clock_now();
    phase_ = phase::warming_up;
    const auto opening = std::exchange(results_, {});
    const auto start = now_;
    schedule_start_ = start;
    measured_from_ = start + nanoseconds(options_.warmup);
    let_go();
    if (options_.warmup > 0) {
        const double before = cpu_seconds();
        run_until(measured_from_);
        results_.seconds = double(now_ - start) / double(second);
        results_.cpu_seconds = cpu_seconds() - before;
        warmup_ = std::exchange(results_, {});
    }
    start_measuring(threads);
    results_.add_errors(opening);
    results_.add_errors(warmup_);
}

void driver::start_measuring(std::barrier<>& threads) {
    mark("begin\n", threads);
    phase_ = phase::measuring;
    const auto start = clock_now();
    const auto paused = start - std::exchange(now_, start);
    schedule_start_ += paused;
    for (auto& c : connections_) c.sent_at += paused, c.due_at += paused;
    measured_from_ = start;
    const double before = cpu_seconds();
    const auto end = start + nanoseconds(options_.seconds);
    run_until(end);
    results_.cpu_seconds = cpu_seconds() - before;
    mark("end\n", threads);
    results_.seconds = double(now_ - start) / double(second);
    record_unanswered(end);
}

// All threads wait while the process that reads stderr handles the mark, so that this work does not affect latencies.
void driver::mark(const char* what, std::barrier<>& threads) const {
    threads.arrive_and_wait();
    if (share_.marks) {
        std::fputs(what, stderr);
        std::string line;
        std::getline(std::cin, line);
    }
    threads.arrive_and_wait();
}

void driver::open_all() {
    last_settled_ = now_;
    const auto all = share_.connections;
    while (settled_ + dead_ < all && now_ - last_settled_ < patience_to_open) {
        while (started_ < all && started_ - settled_ - dead_ < opening_at_once) {
            auto& c = connections_[started_++];
            if (options_.websocket) open(c);
            else begin(c, now_);
        }
        turn(now_ + second / 100);
    }
}

void driver::let_go() {
    for (auto& c : connections_) {
        c.parked = false;
        // The connection was not open in time. From now on, its delay counts as latency.
        if (c.sending) c.sent_at = c.due_at = now_;
        else if (options_.broadcast && c.state == connection::is::closed) open(c);
        else if (!options_.broadcast && period_ == 0 && c.free()) ready(c);
    }
    for (std::uint32_t i = 0; i < share_.connections; ++i) connections_[i].next_due = i;
    if (options_.broadcast) start_round();
}

void driver::run_until(std::uint64_t end) {
    while (now_ < end && dead_ < share_.connections) {
        auto wake = std::min(end, next_sweep_);
        if (period_ > 0) wake = std::min(wake, pump());
        turn(wake);
    }
}

void driver::turn(std::uint64_t wake) {
    if (!paused_.empty()) wake = std::min(wake, paused_.front().until);
    network_.wait(wake > now_ ? wake - now_ : 0);
    now_ = clock_now();
    network_.each_event([this](const event& e) { on_event(e); });
    resume_paused();
    if (now_ >= next_sweep_) sweep();
}

void driver::on_event(const event& e) {
    auto& c = connections_[e.slot];
    switch (e.what) {
        case did::receive:
        case did::discard:
            if (e.result > 0) [[likely]] {
                results_.bytes_received += std::uint64_t(e.result);
                if (e.what == did::receive) on_data(c, e.data);
                else on_discarded(c, std::uint64_t(e.result));
                if (!e.more) receive(c);
            } else if (e.result == -ENOBUFS || e.result == -ECANCELED) {
                receive(c);
            } else {
                on_end(c, e.result);
            }
            return;
        case did::connect: return on_connect(c, e.result);
        case did::send:  // the receive operation of the socket reports the failure too
        case did::cancel: return;
    }
}

// Returns the time at which a batch is due. Batch `number` belongs to connection number % connections, so that the
// connections take turns.
std::uint64_t driver::time_of(std::uint64_t number) const {
    return schedule_start_ + std::uint64_t(double(number) * period_);
}

std::uint64_t driver::pump() {
    while (time_of(next_number_) <= now_) {
        auto& c = connections_[next_number_++ % share_.connections];
        ++c.owed;
        if (c.free()) ready(c);
    }
    return time_of(next_number_);
}

// Counts requests that were due during the measured time and have no response.
void driver::record_unanswered(std::uint64_t end) {
    if (period_ == 0) return;
    // Requests that became due since the last check of the schedule; there may be many if the machine was busy.
    while (time_of(next_number_) < end) ++connections_[next_number_++ % share_.connections].owed;
    for (auto& c : connections_) {
        if (c.sending && c.due_at >= measured_from_) {
            results_.unanswered += c.missing();
            results_.latency.record(now_ - c.due_at, c.missing());
            results_.sent.record(now_ - c.sent_at, c.missing());
        }
        for (; c.owed > 0; --c.owed, c.next_due += share_.connections) {
            const auto due = time_of(c.next_due);
            if (due < measured_from_) continue;
            results_.unanswered += options_.pipeline;
            results_.latency.record(now_ > due ? now_ - due : 0, options_.pipeline);
        }
    }
}

void driver::sweep() {
    const auto limit = nanoseconds(options_.timeout);
    next_sweep_ = now_ + std::min(limit / 10, longest_between_sweeps);
    for (auto& c : connections_) {
        if (c.waits() && now_ >= c.sent_at + limit) give_up_waiting(c);
    }
}

void driver::give_up_waiting(connection& c) {
    if (c.joined && c.answered == options_.pipeline) return;
    if (c.state != connection::is::ending) return lose(c, trouble::timeout, "no response in time");
    if (c.announced) results_.fail(trouble::timeout, "connection still open after `Connection: close`");
    hang_up(c);
}

void driver::resume_paused() {
    while (!paused_.empty() && paused_.front().until <= now_) {
        auto& c = connections_[paused_.front().slot];
        paused_.pop_front();
        open(c);
    }
}

}  // namespace load
