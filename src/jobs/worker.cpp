// SPDX-License-Identifier: Apache-2.0
#include "jobs/worker.hpp"

#include "jobs/job_counts.hpp"
#include "runtime/loop.hpp"

#include <apus/log.hpp>
#include <apus/sleep.hpp>

#include <algorithm>
#include <stdexcept>

namespace apus::jobs {
namespace {

// Polling intervals without notifications from other processes (SQLite), and with notifications, which may be late.
constexpr std::uint64_t poll_unnotified = 1'000, poll_notified = 5'000;  // milliseconds

// Shortest interval of `store::unblock`. Each job of a busy lane sends a notification.
constexpr std::uint64_t unblock_interval = 200;  // milliseconds

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
      attempts_({.on_failure = task_failure::only_logged, .limit = SIZE_MAX, .name = "jobs"}),
      services_({.on_failure = task_failure::only_logged, .name = "jobs"}) {
    if (runtime::loop::exists())  // so that `/metrics` has the series before the first job
        runtime::loop::current().instruments().of(job_counts, {how_.name});
}

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
                   {"hint",
                    "call apus::jobs::migrate, or apply the output of `apus jobs schema` (`--from 2` for old tables)"});
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
            if (what.gap || what.payload == "blocked") look_for_blocked_ = true;
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
    task_scope sources({.on_failure = task_failure::only_logged, .name = "jobs"});
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

// Visits the next lanes. A failure must not prevent claims, so it is logged only.
task<> worker::unblock() {
    const std::uint64_t begun = milliseconds_now();
    if (after_lane_.empty()) look_for_blocked_ = false;
    next_unblock_ = begun + poll_unnotified;  // after a failure
    const auto found = co_await store_.unblock(after_lane_).outcome();
    if (!found) {
        log::error("cannot look for free lanes of jobs", {"queue", store_.queue()}, {"reason", found.error().detail()},
                   {"cause", found.error().cause()});
        co_return;
    }
    after_lane_ = found->last.value_or(std::string());
    if (found->freed != 0) next_look_ = 0;
    // Lanes must not occupy the node.
    next_unblock_ = begun + std::max(unblock_interval, 10 * (milliseconds_now() - begun));
}

task<> worker::serve_claims() {
    const std::uint64_t now = milliseconds_now();
    if (outcomes_.take_freed()) next_look_ = 0, look_for_blocked_ = true;
    if ((look_for_blocked_ || !after_lane_.empty() || now >= next_poll_) && now >= next_unblock_) co_await unblock();
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

unsigned worker::running_of(std::string_view kind) const noexcept {
    return static_cast<unsigned>(
        std::ranges::count_if(running_, [&](const detail::attempt& each) { return each.job().kind == kind; }));
}

// Returns how many jobs of a limited kind may start; for `kind` empty, of all kinds without a limit. Jobs that hang may
// occupy the slots of their kind for long, so other kinds keep free slots: each limited kind its share of all slots or
// its limit, but only one slot from jobs without a limit. The kinds without a limit keep one slot together.
unsigned worker::allowed(std::string_view kind) const noexcept {
    const std::vector<std::string>& unlimited = handlers_.unlimited();
    const auto groups = static_cast<unsigned>(handlers_.limited().size() + (unlimited.empty() ? 0 : 1));
    const unsigned share = std::max(how_.concurrency / groups, 1U);
    unsigned kept = 0, now = 0, most = how_.concurrency, limited = 0;
    for (const std::string& each : handlers_.limited()) {
        const unsigned limit = handlers_.find(each)->how().concurrency, running = running_of(each);
        limited += running;
        if (each == kind) now = running, most = limit;
        else if (const unsigned own = kind.empty() ? 1 : std::min(limit, share); own > running) kept += own - running;
    }
    const unsigned without_limit = static_cast<unsigned>(running_.size()) - limited;
    if (kind.empty()) now = without_limit;
    else if (!unlimited.empty() && without_limit == 0) ++kept;
    if (now >= most) return 0;
    const unsigned free = free_slots(), least = now == 0 ? 1 : 0;
    return std::min({most - now, free, std::max(free > kept ? free - kept : 0, least)});
}

// Claims jobs of handlers without a limit together, and jobs of each other handler up to its limit. Begins with another
// handler each time, since the slots may not suffice for all. Returns true if more jobs may be ready.
task<bool> worker::claim_some() {
    next_look_ = next_poll_;  // a notification during the claim sets this to 0
    if (!member_.is_valid() || handlers_.empty()) co_return false;
    bool more = false;
    const std::size_t groups = handlers_.limited().size() + 1, first = first_group_++;
    for (std::size_t i = 0; i < groups; ++i) {
        const std::size_t at = (first + i) % groups;
        const bool is_limited = at + 1 < groups;
        std::vector<std::string> kinds = handlers_.unlimited();
        if (is_limited) kinds = {handlers_.limited()[at]};
        if (kinds.empty()) continue;
        const unsigned count = allowed(is_limited ? std::string_view(kinds[0]) : std::string_view());
        if (count != 0 && co_await claim_group(std::move(kinds), count)) more = true;
    }
    co_return more;
}

// Returns true if as many jobs were ready as requested.
task<bool> worker::claim_group(std::vector<std::string> kinds, unsigned count) {
    const std::string member = member_.id();
    count = std::min(count, claim_limit_);
    auto got = co_await claim_once(kinds, count, member).outcome();
    for (int tries = 0; !got && store::is_lane_conflict(got.error()) && tries < 3; ++tries)
        got = co_await claim_once(kinds, count, member).outcome();
    if (!got) co_await fail(std::move(got.error()));
    claim_limit_ = claim_limit_ > how_.concurrency ? claim_limit_ : claim_limit_ * 2;
    const bool filled = got->jobs.size() == count;
    if (filled) next_look_ = 0;
    if (got->wait != 0) next_look_ = std::min(next_look_, milliseconds_now() + got->wait);
    co_await start(std::move(got->jobs), member);
    co_return filled;
}

task<rated_claim> worker::claim_once(std::vector<std::string> kinds, unsigned count, std::string member) {
    if (how_.rate != 0)
        co_return co_await store_.claim_at_rate(std::move(kinds), count, std::move(member), how_.rate,
                                                static_cast<double>(how_.rate_period.milliseconds()));
    co_return rated_claim{.jobs = co_await store_.claim(std::move(kinds), count, std::move(member))};
}

task<> worker::start(std::vector<claimed_job> jobs, std::string member) {
    for (auto& job : jobs) {
        if (member_.is_valid() && member_.id() == member) {
            running_.emplace_back(store_, std::move(job), member);
            auto& added = running_.back();
            added.holds_back_others = added.job().lane.has_value() || !handlers_.limited().empty();
            attempts_.spawn(run(std::prev(running_.end())));
        } else {
            // This node lost its lease during the claim.
            (void)co_await store_.release({job.id, job.fence, member}, 0).outcome();
        }
    }
}

task<> worker::wait_for_work() {
    if (stopped_) co_return;
    std::uint64_t next = std::min(next_due_, next_poll_);
    if (look_for_blocked_ || !after_lane_.empty()) next = std::min(next, next_unblock_);
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
