// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jobs/statements.hpp"

#include <apus/jobs.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apus::jobs {

/// A job that this node has claimed.
struct claimed_job {
    std::int64_t id;
    std::string kind;
    std::int64_t version;
    std::string payload;
    std::int64_t attempt;
    std::int64_t fence;
    std::int64_t priority;
    std::optional<std::string> trace;  ///< Trace context of the enqueuing code: see `enqueue_span::context`.
    std::optional<std::string> lane;
    std::int64_t delay = 0;  ///< Milliseconds from the time when the job was due to the claim.
};

/// Identifies an attempt by job, number of the claim (fence), and node.
/// Statements match all three values, so an attempt that lost its job changes nothing.
struct claim_key {
    std::int64_t id;
    std::int64_t fence;
    std::string worker;
};

/// A node in the database.
struct worker_row {
    std::string id;
    std::int64_t beat;
};

/// Jobs that the rate limit of the queue allows to start now.
struct rated_claim {
    std::vector<claimed_job> jobs;
    std::uint64_t wait = 0;  ///< Milliseconds until the rate allows the next job; 0 if the rate was not the limit.
};

/// Row of an added job.
struct added_row {
    std::int64_t id;
    std::string state;
};

/// Result of `store::unblock`.
struct unblocked_lanes {
    std::int64_t freed = 0;                ///< Number of jobs that are now ready or delayed.
    std::optional<std::string> last = {};  ///< Last lane that was visited; null if no lane follows.
};

/// State of a rate: the database's time, and the time up to which the rate is used.
/// In milliseconds since 1970.
struct rate_row {
    std::int64_t now;
    double used_until;
};

/// Reads and changes the tables of jobs for one queue.
/// Functions that change rows and return an integer return the number of changed rows.
class store {
public:
    store(const sql::database& db, std::string queue);

    bool is_postgres() const noexcept { return postgres_; }
    const sql::database& db() const noexcept { return db_; }  ///< The program's database.
    const std::string& queue() const noexcept { return queue_; }
    std::string channel() const { return channel_of(queue_); }

    task<> check_tables() const;  ///< Fails if the tables are missing or of another version.
    task<std::int64_t> now() const;

    task<enqueued> insert(sql::executor in, detail::job_type type, std::string payload, enqueue_options how) const;
    /// Whether a claim failed because another node has claimed jobs of the same lanes at the same time.
    static bool is_lane_conflict(const error& why) noexcept;
    task<std::vector<claimed_job>> claim(std::vector<std::string> kinds, unsigned count, std::string worker) const;
    /// Like `claim`, within a rate of `jobs` starts per `period` milliseconds.
    task<rated_claim> claim_at_rate(std::vector<std::string> kinds, unsigned count, std::string worker, double jobs,
                                    double period) const;
    /// Returns the jobs of a worker to the queue, except the jobs in `running`.
    /// Used after a claim whose response was lost.
    task<std::int64_t> release_unknown(const std::string& worker, const std::vector<std::int64_t>& running) const;
    task<std::int64_t> promote() const;
    /// Makes the first jobs of lanes ready if they were added while the previous job of the lane ended.
    /// Visits up to 1,000 lanes after the lane `after`.
    task<unblocked_lanes> unblock(std::string after) const;
    task<std::optional<std::int64_t>> next_due() const;  ///< Milliseconds; negative: already due.

    task<std::int64_t> complete(sql::executor in, claim_key of) const;
    task<std::int64_t> complete_all(std::vector<claim_key> of) const;  ///< All keys must be of one worker.
    task<std::int64_t> retry(claim_key of, std::int64_t delay, std::string why) const;
    task<std::int64_t> release(claim_key of, std::int64_t delay) const;
    task<std::int64_t> bury(const claim_key& of, const std::string& why) const;
    task<std::int64_t> progress(const sql::executor& in, const claim_key& of, double part,
                                const std::string& note) const;
    const sql::executor& own_connection() const noexcept { return own_; }

    task<> enlist(std::string worker) const;
    task<bool> beat(std::string worker) const;  ///< Returns false if the node was expelled.
    task<> leave(std::string worker) const;
    task<std::vector<worker_row>> workers() const;
    task<bool> expel(worker_row one) const;
    task<std::int64_t> rescue(std::string why) const;  ///< Returns the jobs of expelled nodes to the queue.

    task<bool> cancel(sql::executor in, std::int64_t id) const;
    task<std::vector<std::int64_t>> cancelled(const std::string& worker) const;

    /// Records a tick of a schedule, and adds its job.
    /// Adds no job if another node has recorded the tick, if the schedule is new, or if `missed` is true. Returns
    /// whether a job was added.
    task<bool> fire(std::string schedule, std::int64_t tick, detail::job_type, std::string payload, int priority,
                    bool missed) const;

private:
    sql::database db_;
    std::string queue_;
    bool postgres_;
    sql::database own_;
    const statements& sql_;
};

}  // namespace apus::jobs
