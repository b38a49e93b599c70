// SPDX-License-Identifier: Apache-2.0
#include "jobs/store.hpp"

#include "jobs/job_trace.hpp"
#include "sql/database_parts.hpp"

#include <apus/log.hpp>
#include <apus/sql/table.hpp>

#include <algorithm>
#include <cmath>

namespace apus::jobs {
namespace {

using sql::detail::session_access;

constexpr std::size_t longest_lane = 255;  // bytes; indexes contain lanes

template <class... A>
sql::detail::call call_of(const sql::executor& in, const std::string& text, const A&... a) {
    return sql::detail::make_call(session_access::of(in), text, a...);
}

template <class... A>
task<std::int64_t> change(const sql::executor& in, const std::string& text, const A&... a) {
    return sql::detail::run(call_of(in, text, a...));
}

template <class Row, class... A>
task<std::vector<Row>> rows_of(const sql::executor& in, const std::string& text, const A&... a) {
    return sql::detail::all_rows<Row, std::vector<Row>>(call_of(in, text, a...));
}

// Returns a database with its own connection for claims and heartbeats, since transactions of handlers may occupy all
// connections of the program. Not used for SQLite, which has one writer.
sql::database separate(const sql::database& db) {
    const auto& parts = *session_access::of(db);
    sql::database_options how = parts.options;
    how.connections = 1;  // at most one per core; only the core that runs the worker opens a connection
    how.slow_statement = {};
    return sql::database(parts.url, how);
}

// Sorts claimed jobs by priority and id, since an update returns rows in an undefined order.
void sort_by_start(std::vector<claimed_job>& jobs) {
    std::ranges::sort(jobs, [](const claimed_job& a, const claimed_job& b) {
        return a.priority != b.priority ? a.priority > b.priority : a.id < b.id;
    });
}

}  // namespace

store::store(const sql::database& db, std::string queue)
    : db_(db),
      queue_(std::move(queue)),
      postgres_(session_access::of(db)->db->name() == "postgres"),
      own_(postgres_ ? separate(db) : db),
      sql_(statements_of(postgres_)) {}

task<> store::check_tables() const {
    auto found = co_await sql::detail::maybe_row<std::int64_t>(call_of(own_, sql_.version)).outcome();
    const auto* failed = sql::failure_of(found);
    if (!found && (!failed || failed->is_unavailable() || failed->state == "57014"))
        co_await fail(std::move(found.error()));
    if (found && *found == schema_version) co_return;
    auto why = fail(500, found ? "the tables of jobs have another version" : "the tables of jobs are missing");
    if (!found) why.cause(found.error().cause());
    co_await std::move(why);
}

task<std::int64_t> store::now() const { return sql::detail::one_row<std::int64_t>(call_of(own_, sql_.now)); }

task<enqueued> store::insert(sql::executor in, detail::job_type type, std::string payload, enqueue_options how) const {
    const std::string kind(type.name);
    const std::int64_t delay = std::max<std::int64_t>(how.delay.milliseconds(), 0);
    std::optional<std::string> key;
    if (!how.unique_key.empty()) key = how.unique_key;
    std::optional<std::string> lane;
    if (!how.lane.empty()) lane = how.lane;
    if (how.lane.size() > longest_lane) co_await fail(400, "the lane of a job is longer than 255 bytes");
    enqueue_span traced(kind, queue_);
    for (int tries = 0;; ++tries) {
        if (tries == 3) co_await fail(503, "the job with this unique key changes too often");
        const auto added = co_await sql::detail::maybe_row<added_row>(call_of(
            in, sql_.insert, queue_, kind, type.version, payload, delay, how.priority, key, traced.context(), lane));
        if (added && !postgres_) co_await in.notify(channel(), added->state);
        if (added) traced.end(added->id, true);
        if (added) co_return enqueued{added->id, true};
        // The job that has this unique key may end between the two statements.
        const auto found =
            co_await sql::detail::maybe_row<std::int64_t>(call_of(in, sql_.find_key, queue_, kind, how.unique_key));
        if (found) traced.end(*found, false);
        if (found) co_return enqueued{*found, false};
    }
}

bool store::is_lane_conflict(const error& why) noexcept {
    const auto* failed = sql::failure_of(why);
    return failed && (failed->state == "23505" || failed->state == "40P01");
}

task<std::vector<claimed_job>> store::claim(std::vector<std::string> kinds, unsigned count, std::string worker) const {
    auto got = co_await rows_of<claimed_job>(own_, sql_.claim, queue_, kinds, count, worker);
    sort_by_start(got);
    co_return got;
}

task<rated_claim> store::claim_at_rate(std::vector<std::string> kinds, unsigned count, std::string worker, double jobs,
                                       double period) const {
    co_await change(own_, sql_.add_rate, queue_);
    auto t = co_await own_.begin();
    const auto row = co_await sql::detail::one_row<rate_row>(call_of(t, sql_.lock_rate, queue_));
    // Each start of a job uses period / jobs of the time up to now. At most one period can be used, so at most `jobs`
    // jobs start at once. If the clock was set back, `std::clamp` limits the wait to one period.
    const double now = static_cast<double>(row.now), step = period / jobs;
    const double from = std::clamp(row.used_until, now - period, now);
    const auto free = static_cast<unsigned>(std::min<double>(count, std::floor((now - from) / step + 1e-9)));
    rated_claim got;
    if (free != 0) got.jobs = co_await rows_of<claimed_job>(t, sql_.claim, queue_, kinds, free, worker);
    const double used = from + step * static_cast<double>(got.jobs.size());
    if (!got.jobs.empty()) co_await change(t, sql_.set_rate, queue_, used);
    co_await t.commit();
    if (got.jobs.size() == free && free < count)
        got.wait = static_cast<std::uint64_t>(std::max(std::ceil(used + step - now), 1.0));
    sort_by_start(got.jobs);
    co_return got;
}

task<std::int64_t> store::release_unknown(const std::string& worker, const std::vector<std::int64_t>& running) const {
    return change(own_, sql_.release_unknown, worker, running);
}

task<std::int64_t> store::promote() const { return change(own_, sql_.promote, queue_); }

task<unblocked_lanes> store::unblock(std::string after) const {
    constexpr std::int64_t lanes_at_once = 1'000;
    if (!postgres_) co_return unblocked_lanes();  // transactions that write do not overlap
    co_return co_await sql::detail::one_row<unblocked_lanes>(call_of(own_, sql_.unblock, queue_, after, lanes_at_once));
}

task<std::optional<std::int64_t>> store::next_due() const {
    return sql::detail::one_row<std::optional<std::int64_t>>(call_of(own_, sql_.next_due, queue_));
}

task<std::int64_t> store::complete(sql::executor in, claim_key of) const {
    co_return co_await change(in, sql_.complete, of.id, of.fence, of.worker);
}

task<std::int64_t> store::complete_all(std::vector<claim_key> of) const {
    if (of.size() == 1) co_return co_await change(own_, sql_.complete, of[0].id, of[0].fence, of[0].worker);
    if (postgres_) {
        std::vector<std::int64_t> ids, fences;
        for (const auto& one : of) ids.push_back(one.id), fences.push_back(one.fence);
        co_return co_await change(own_, sql_.complete_many, ids, fences, of[0].worker);
    }
    auto what = sql::detail::make_call(session_access::of(own_), sql_.complete_many);
    for (const auto& one : of) {
        what.next_list();
        what.add(sql::detail::describe(one));
    }
    co_return co_await sql::detail::run_batch(std::move(what));
}

task<std::int64_t> store::retry(claim_key of, std::int64_t delay, std::string why) const {
    const auto done = co_await change(own_, sql_.retry, of.id, of.fence, of.worker, delay, why);
    if (done != 0) co_await own_.notify(channel(), "delayed");
    co_return done;
}

task<std::int64_t> store::release(claim_key of, std::int64_t delay) const {
    const auto done = co_await change(own_, sql_.release, of.id, of.fence, of.worker, delay);
    if (done != 0) co_await own_.notify(channel(), delay > 0 ? "delayed" : "ready");
    co_return done;
}

task<std::int64_t> store::bury(const claim_key& of, const std::string& why) const {
    return change(own_, sql_.bury, of.id, of.fence, of.worker, why);
}

task<std::int64_t> store::progress(const sql::executor& in, const claim_key& of, double part,
                                   const std::string& note) const {
    return change(in, sql_.progress, of.id, of.fence, of.worker, part, note);
}

task<> store::enlist(std::string worker) const { co_await change(own_, sql_.enlist, worker, queue_); }

task<bool> store::beat(std::string worker) const { co_return co_await change(own_, sql_.beat, worker) != 0; }

task<> store::leave(std::string worker) const { co_await change(own_, sql_.leave, worker); }

task<std::vector<worker_row>> store::workers() const { return rows_of<worker_row>(own_, sql_.workers, queue_); }

task<bool> store::expel(worker_row one) const { co_return co_await change(own_, sql_.expel, one.id, one.beat) != 0; }

task<std::int64_t> store::rescue(std::string why) const {
    co_await change(own_, sql_.drop_cancelled_orphans, queue_);
    const std::int64_t count = co_await change(own_, sql_.rescue, queue_, why);
    if (count != 0) co_await own_.notify(channel(), "delayed");
    co_return count;
}

task<bool> store::cancel(sql::executor in, std::int64_t id) const {
    // Tries twice, since the job may start or end between the two statements.
    for (int tries = 0; tries < 2; ++tries) {
        if (co_await change(in, sql_.cancel, id, queue_) != 0) co_return true;
        if (co_await change(in, sql_.ask_to_cancel, id, queue_) != 0) {
            co_await in.notify(channel(), "cancel");
            co_return true;
        }
    }
    co_return false;
}

task<std::vector<std::int64_t>> store::cancelled(const std::string& worker) const {
    return rows_of<std::int64_t>(own_, sql_.cancelled, worker);
}

task<bool> store::fire(std::string schedule, std::int64_t tick, detail::job_type type, std::string payload,
                       int priority, bool missed) const {
    constexpr std::int64_t kept = std::int64_t(7) * 24 * 3600 * 1000;
    auto t = co_await own_.begin();
    // For a new schedule, this tick lies before the start of the program, so it is recorded without a job.
    const bool is_new = co_await sql::detail::one_row<std::int64_t>(call_of(t, sql_.has_ticks, schedule)) == 0;
    const bool is_first = co_await change(t, sql_.add_tick, schedule, tick) != 0;
    const bool fires = is_first && !is_new && !missed;
    if (fires) co_await insert(t, type, std::move(payload), {.priority = priority});
    if (is_first) co_await change(t, sql_.drop_ticks, schedule, tick - kept);
    co_await t.commit();
    co_return fires;
}

}  // namespace apus::jobs
