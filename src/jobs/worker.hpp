// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jobs/attempt.hpp"
#include "jobs/handlers.hpp"
#include "jobs/membership.hpp"
#include "jobs/outcomes.hpp"
#include "jobs/schedules.hpp"

#include <apus/task_scope.hpp>

#include <climits>
#include <list>
#include <memory>

namespace apus::jobs {

/// Claims and runs the jobs of a queue, on one core.
class worker {
public:
    worker(const sql::database& db, const queue_options& how);

    handler_list& handlers() noexcept { return handlers_; }
    schedule_list& schedules() noexcept { return schedules_; }
    const store& rows() const noexcept { return store_; }

    /// Claims jobs until the task is cancelled or `stop` is called. Call this function only once.
    task<> claim_until_stopped();
    void stop() noexcept;

    /// Waits for running jobs and stores their outcomes; cancels them after `queue_options::drain`.
    /// Then removes this node from the table of nodes. Call this function only after `claim_until_stopped` has ended.
    task<> drain();

    void abandon() noexcept;  ///< Cancels all tasks. Another node rescues the jobs that were running.

private:
    task<> prepare();
    task<> listen();
    task<> serve_claims();
    task<> unblock();
    task<bool> claim_some();
    task<bool> claim_group(std::vector<std::string> kinds, unsigned count);
    task<rated_claim> claim_once(std::vector<std::string> kinds, unsigned count, std::string member);
    unsigned running_of(std::string_view kind) const noexcept;
    unsigned allowed(std::string_view kind) const noexcept;
    task<> wait_for_work();
    task<> after_failed_claim();
    task<> start(std::vector<claimed_job> jobs, std::string member);
    unsigned free_slots() const noexcept;

    task<> run(std::list<detail::attempt>::iterator at);

    queue_options how_;
    store store_;
    handler_list handlers_;
    schedule_list schedules_;
    std::list<detail::attempt> running_;
    outcome_writer outcomes_;
    membership member_;
    wake_signal wake_;  // wakes the claiming task, and later the draining task
    bool stopped_ = false;
    bool listening_ = false;
    bool look_for_delayed_ = true;
    bool look_for_blocked_ = false;
    std::uint64_t next_unblock_ = 0;          // earliest time for `store::unblock`
    std::string after_lane_;                  // last lane of an unfinished search by `store::unblock`; empty: none
    std::uint64_t next_due_ = 0;              // when the first delayed job may be due, in ms of the loop's clock
    std::uint64_t next_look_ = 0;             // time of the next claim of ready jobs
    std::uint64_t next_poll_ = 0;             // time of the next poll of the tables, without a notification
    std::size_t first_group_ = 0;             // of handlers, at the next claim
    unsigned claim_limit_ = UINT_MAX;         // reduced after failures, such as a result that is too large
    std::uint64_t claims_unclear_until_ = 0;  // until then, a claim whose response was lost may still take jobs
    task_scope attempts_;
    task_scope services_;
};

}  // namespace apus::jobs
