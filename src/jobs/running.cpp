// SPDX-License-Identifier: Apache-2.0
#include "jobs/worker.hpp"

#include "base/utf8.hpp"
#include "crypto/random.hpp"
#include "jobs/job_counts.hpp"
#include "jobs/job_trace.hpp"
#include "runtime/activity.hpp"
#include "runtime/loop.hpp"

#include <apus/log.hpp>
#include <apus/when_any.hpp>

#include <algorithm>
#include <ctime>

namespace apus::jobs {
namespace {

using detail::attempt;
using detail::attempt_end;

// Returns a text that databases accept, since the message of an exception may contain any bytes.
std::string storable(std::string_view text) {
    constexpr std::size_t most = 2'000;
    std::string made(text.substr(0, most));
    const bool valid = base::is_utf8(made);
    for (char& c : made)
        if (c == '\0' || c == '\n' || (!valid && (c & 0x80))) c = ' ';
    return made;
}

std::string error_line(const attempt& a, std::string_view why) {
    const std::time_t now = runtime::unix_seconds();
    std::tm parts{};
    gmtime_r(&now, &parts);
    char time[32];
    const std::size_t size = std::strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return std::string(time, size) + " attempt " + std::to_string(a.job().attempt) + ": " + storable(why) + "\n";
}

double random_part() {
    const std::string bytes = crypto::random_bytes(2);
    return (static_cast<unsigned char>(bytes[0]) * 256 + static_cast<unsigned char>(bytes[1])) / 65'535.0;
}

std::string reason_of(const error& why) {
    std::string text = std::to_string(why.status()) + " " + why.detail();
    if (!why.cause().empty()) text.append(" (").append(why.cause()).append(")");
    return text;
}

task<> execute(attempt& a, const handler& h) {
    context c(a);
    co_await h.run(a.job().payload, c);
    if (a.has_transaction()) co_await a.commit();
}

outcome buried(std::list<attempt>::iterator of, std::string_view why) {
    log::error("job is a dead letter", {"job", of->job().kind}, {"id", of->job().id}, {"attempt", of->job().attempt},
               {"reason", why});
    return {.what = outcome::kind::buried, .of = of, .why = error_line(*of, why)};
}

// Returns the outcome of a failed attempt: another attempt, or a dead letter after the last attempt.
outcome failed(std::list<attempt>::iterator of, const handler& h, std::string_view why) {
    if (of->discarded() || of->job().attempt >= h.how().attempts) return buried(of, why);
    const std::int64_t asked = std::min(of->least_delay(), h.how().max_retry_delay.milliseconds());
    const std::int64_t delay = std::max(retry_delay(h.how(), of->job().attempt, random_part()), asked);
    log::warn("job failed", {"job", of->job().kind}, {"id", of->job().id}, {"attempt", of->job().attempt},
              {"reason", why}, {"retry_in_ms", delay});
    return {.what = outcome::kind::retried, .of = of, .delay = delay, .why = error_line(*of, why)};
}

// Returns the `error.type` of an attempt that this node ended.
std::string_view error_type_of(attempt_end why) noexcept {
    switch (why) {
        case attempt_end::deadline: return "timeout";
        case attempt_end::lease_lost: return "lease_lost";
        default: return "cancelled";
    }
}

// Returns the outcome of an attempt that this node ended.
outcome ended(std::list<attempt>::iterator of, const handler& h) {
    switch (of->ended_by()) {
        case attempt_end::deadline: return failed(of, h, "the attempt took longer than its deadline");
        case attempt_end::lease_lost: return failed(of, h, "the node could not renew its lease");
        case attempt_end::drained: return {.what = outcome::kind::released, .of = of};
        default: break;
    }
    log::info("job cancelled", {"job", of->job().kind}, {"id", of->job().id});
    return {.what = outcome::kind::completed, .of = of};
}

task<outcome> attempt_job(std::list<attempt>::iterator at, const handler& h, std::string_view queue) {
    constexpr std::int64_t newer_job_delay =
        5'000;  // milliseconds; a node with the newer version may then claim the job
    attempt& a = *at;
    if (a.job().version > h.type().version)
        co_return outcome{.what = outcome::kind::released, .of = at, .delay = newer_job_delay};
    if (a.job().attempt > h.how().attempts) co_return buried(at, "the node ended during the last attempt");
    const std::uint64_t deadline = runtime::loop::current().due_in(h.how().deadline);
    const attempt_trace traced(a.job(), queue);
    const auto done = co_await when_any(traced.run(execute(a, h)), a.wait_for_end(deadline)).outcome();
    if (done && done->index() == 0) {
        traced.succeeded();
        co_return outcome{.what = a.is_committed() ? outcome::kind::committed : outcome::kind::completed, .of = at};
    }
    co_await traced.run(a.roll_back());
    const runtime::working_for work(traced.context());  // for the log records
    if (a.ended_by() != attempt_end::none) {
        traced.failed(error_type_of(a.ended_by()), {});
        co_return ended(at, h);
    }
    if (!done) traced.failed(done.error());
    co_return failed(at, h, done ? "" : reason_of(done.error()));
}

// Counts an attempt for `/metrics`. An attempt that is destroyed without an outcome is only counted as started.
class counted_attempt {
public:
    counted_attempt(std::string_view queue, std::int64_t delay)
        : to_(runtime::loop::current().instruments().of(job_counts, {queue})), begun_(now()) {
        to_.add(jobs_started);
        to_.add(jobs_running);
        // The clocks of nodes and of the database may differ.
        to_.observe(start_delays, static_cast<std::uint64_t>(std::max<std::int64_t>(delay, 0)) * 1'000'000);
    }
    counted_attempt(const counted_attempt&) = delete;
    counted_attempt& operator=(const counted_attempt&) = delete;
    ~counted_attempt() {
        if (runtime::loop::exists()) to_.subtract(jobs_running);
    }
    void ended(outcome::kind how) noexcept {
        switch (how) {
            case outcome::kind::completed:
            case outcome::kind::committed: to_.add(jobs_completed); break;
            case outcome::kind::retried: to_.add(jobs_retried); break;
            case outcome::kind::released: to_.add(jobs_released); break;
            case outcome::kind::buried: to_.add(jobs_dead); break;
        }
        to_.observe(attempt_durations, now() - begun_);
    }

private:
    static std::uint64_t now() noexcept { return runtime::loop::current().io().clock().nanoseconds(); }

    runtime::instrument_group& to_;
    std::uint64_t begun_;  // in nanoseconds
};

}  // namespace

task<> worker::run(std::list<attempt>::iterator at) {
    const handler& h = *handlers_.find(at->job().kind);  // not null: only jobs with a handler are claimed
    counted_attempt counted(store_.queue(), at->job().delay);
    auto made = co_await attempt_job(at, h, store_.queue()).outcome();
    outcome ended = made ? *std::move(made) : failed(at, h, reason_of(made.error()));
    counted.ended(ended.what);
    outcomes_.add(std::move(ended));
}

}  // namespace apus::jobs
