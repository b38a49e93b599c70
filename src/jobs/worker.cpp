// SPDX-License-Identifier: Apache-2.0
#include "jobs/worker.hpp"

#include "runtime/loop.hpp"

#include <apus/log.hpp>
#include <apus/sleep.hpp>

#include <algorithm>
#include <stdexcept>

namespace apus::jobs {
namespace {

// Polling intervals without notifications from other processes (SQLite), and with notifications, which may be late.
constexpr std::uint64_t poll_unnotified = 1'000, poll_notified = 5'000;  // milliseconds

std::uint64_t milliseconds_now() noexcept { return runtime::loop::current().now(); }

queue_options checked_options(queue_options how) {
    const auto valid = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '.';
    };
    if (how.name.empty() || how.name.size() > 40 || !std::ranges::all_of(how.name, valid))
        throw std::invalid_argument("jobs: the name of a queue must have 1 to 40 letters, digits, `_`, `-` and `.`");
    if (how.concurrency == 0) throw std::invalid_argument("jobs: `concurrency` must be at least 1");
    if (how.lease < seconds(1)) throw std::invalid_argument("jobs: `lease` must be at least 1 s");
    if (how.drain < duration()) throw std::invalid_argument("jobs: `drain` must not be negative");
    if (how.rate_period < milliseconds(1)) throw std::invalid_argument("jobs: `rate_period` must be at least 1 ms");
    return how;
}

}  // namespace

worker::worker(const sql::database& db, const queue_options& how)
    : how_(checked_options(how)),
      store_(db, how.name),
      outcomes_(store_, running_),
      member_(store_, running_, how.lease),
      attempts_({.on_failure = task_failure::only_logged, .limit = SIZE_MAX}),
      services_({.on_failure = task_failure::only_logged}) {}

unsigned worker::free_slots() const noexcept {
    const auto busy = static_cast<unsigned>(running_.size());
    return busy >= how_.concurrency ? 0 : how_.concurrency - busy;
}

void worker::stop() noexcept {
    stopped_ = true;
    wake_.set();
}

// Waits until the database is reachable and has the tables. Missing tables may be created while the node runs.
task<> worker::prepare() {
    constexpr std::int64_t longest = 5'000;  // milliseconds
    for (std::int64_t pause = 250; !stopped_; pause = std::min(pause * 2, longest)) {
        auto ready = co_await store_.check_tables().outcome();
        if (ready) ready = co_await member_.join().outcome();
        if (ready) co_return;
        log::error("jobs cannot start", {"queue", store_.queue()}, {"reason", ready.error().detail()},
                   {"cause", ready.error().cause()},
                   {"hint", "call apus::jobs::migrate, or apply the output of `apus jobs schema`"});
        co_await wake_.wait(milliseconds_now() + static_cast<std::uint64_t>(pause));
    }
}

task<> worker::listen() {
    while (true) {
        auto changes = store_.db().listen(store_.channel());
        while (true) {
            const auto got = co_await changes.next().outcome();
            if (!got || !*got) break;
            const sql::notification& what = **got;
            listening_ = true;
            if (what.gap || what.payload == "delayed") look_for_delayed_ = true;
            if (what.gap || what.payload == "cancel") member_.check_now();
            if (what.payload != "cancel") next_look_ = 0, wake_.set();
        }
        listening_ = false;
        co_await sleep_for(seconds(1));
    }
}

task<> worker::claim_until_stopped() {
    co_await prepare();
    if (stopped_) co_return;
    services_.spawn(outcomes_.run(wake_));
    services_.spawn(member_.run());
    task_scope sources({.on_failure = task_failure::only_logged});
    sources.spawn(listen());
    sources.spawn(schedules_.run(store_));
    while (!stopped_) {
        const auto done = co_await serve_claims().outcome();
        if (done) continue;
        log::error("cannot claim jobs", {"queue", store_.queue()}, {"reason", done.error().detail()},
                   {"cause", done.error().cause()});
        co_await after_failed_claim();
    }
}

// The database may have executed the claim although the response was lost. Then this node owns jobs that it does not
// run. For as long as the statement may still be executing, such jobs are released at each poll.
task<> worker::after_failed_claim() {
    constexpr std::uint64_t in_execution = 60'000;  // milliseconds: longer than any statement takes
    claims_unclear_until_ = milliseconds_now() + in_execution;
    claim_limit_ = std::max(std::min(claim_limit_, how_.concurrency) / 2, 1U);
    next_look_ = next_poll_ = milliseconds_now() + poll_unnotified;
    wake_signal pause;  // not woken by outcomes and notifications
    if (!stopped_) co_await pause.wait(next_look_);
}

task<> worker::serve_claims() {
    const std::uint64_t now = milliseconds_now();
    if (look_for_delayed_ || now >= next_due_ || now >= next_poll_) {
        next_poll_ = now + (store_.is_postgres() && listening_ ? poll_notified : poll_unnotified);
        look_for_delayed_ = false;
        if (now < claims_unclear_until_) {
            std::vector<std::int64_t> ids;
            for (const auto& each : running_) ids.push_back(each.job().id);
            if (co_await store_.release_unknown(member_.id(), ids) != 0) next_look_ = 0;
        }
        if (co_await store_.promote() != 0) next_look_ = 0;
        const auto wait = co_await store_.next_due();
        next_due_ = wait ? milliseconds_now() + static_cast<std::uint64_t>(std::clamp<std::int64_t>(*wait, 1, 60'000))
                         : UINT64_MAX;
    }
    // Outcomes are stored in batches, so slots become free in groups. Therefore a claim usually takes several jobs.
    if (free_slots() != 0 && milliseconds_now() >= next_look_ && co_await claim_some()) co_return;
    co_await wait_for_work();
}

// Returns true if more jobs may be ready.
task<bool> worker::claim_some() {
    const unsigned count = std::min(free_slots(), claim_limit_);
    next_look_ = next_poll_;  // a notification during the claim sets this to 0
    if (!member_.is_valid() || handlers_.kinds().empty()) co_return false;
    const std::string member = member_.id();
    rated_claim got;
    if (how_.rate == 0) got.jobs = co_await store_.claim(handlers_.kinds(), count, member);
    else
        got = co_await store_.claim_at_rate(handlers_.kinds(), count, member, how_.rate,
                                            static_cast<double>(how_.rate_period.milliseconds()));
    claim_limit_ = claim_limit_ > how_.concurrency ? claim_limit_ : claim_limit_ * 2;
    const bool filled = got.jobs.size() == count;
    if (filled) next_look_ = 0;
    if (got.wait != 0) next_look_ = std::min(next_look_, milliseconds_now() + got.wait);
    co_await start(std::move(got.jobs), member);
    co_return filled;
}

task<> worker::start(std::vector<claimed_job> jobs, std::string member) {
    for (auto& job : jobs) {
        if (member_.is_valid() && member_.id() == member) {
            running_.emplace_back(store_, std::move(job), member);
            attempts_.spawn(run(std::prev(running_.end())));
        } else {
            // This node lost its lease during the claim.
            (void)co_await store_.release({job.id, job.fence, member}, 0).outcome();
        }
    }
}

task<> worker::wait_for_work() {
    if (stopped_) co_return;
    const std::uint64_t next = std::min(next_due_, next_poll_);
    co_await wake_.wait(free_slots() == 0 ? next : std::min(next, next_look_));
}

task<> worker::drain() {
    const std::uint64_t until =
        milliseconds_now() + static_cast<std::uint64_t>(std::max<std::int64_t>(how_.drain.milliseconds(), 1));
    while (!running_.empty() && milliseconds_now() < until) co_await wake_.wait(until);
    if (!running_.empty())
        log::warn("running jobs are cancelled and wait for another node", {"queue", store_.queue()},
                  {"jobs", running_.size()});
    for (auto& each : running_) each.end(detail::attempt_end::drained);
    // Waits until the outcomes are stored. If the database is unreachable, other nodes rescue the jobs after the lease.
    constexpr std::uint64_t to_store = 3'000;  // milliseconds
    const std::uint64_t last = milliseconds_now() + to_store;
    while (!running_.empty() && milliseconds_now() < last) co_await wake_.wait(last);
    (void)co_await member_.leave().outcome();
}

void worker::abandon() noexcept {
    attempts_.cancel();
    services_.cancel();
    // Breaks a reference cycle: a handler that enqueues jobs has captured the queue, which owns this worker.
    if (running_.empty()) handlers_.clear();
}

}  // namespace apus::jobs
