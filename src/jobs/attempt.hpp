// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jobs/store.hpp"
#include "jobs/wake_signal.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace apus::jobs::detail {

/// Reason why a node ends an attempt before its handler has finished.
enum class attempt_end : unsigned char {
    none,
    deadline,
    cancelled,   ///< An operator or the program has cancelled the job.
    lease_lost,  ///< Another node may have taken the job.
    drained      ///< The node stops.
};

/// A job that this node is executing. The worker keeps all attempts in a list.
class attempt {
public:
    attempt(const store& in, claimed_job job, std::string worker) noexcept
        : in_(in), key_{job.id, job.fence, std::move(worker)}, job_(std::move(job)) {}
    attempt(const attempt&) = delete;
    attempt& operator=(const attempt&) = delete;

    const claimed_job& job() const noexcept { return job_; }
    const claim_key& key() const noexcept { return key_; }

    /// Ends the attempt. Only the reason of the first call is kept.
    void end(attempt_end why) noexcept {
        if (end_ == attempt_end::none) end_ = why;
        ended_.set();
    }
    attempt_end ended_by() const noexcept { return end_; }
    /// Waits for `end`, or for the deadline, in milliseconds of the loop's clock.
    task<> wait_for_end(std::uint64_t deadline);

    task<sql::executor> transaction();
    bool has_transaction() const noexcept { return open_.has_value(); }
    /// Completes the job in the transaction, and commits the transaction.
    /// Fails if another node has taken the job.
    task<> commit();
    bool is_committed() const noexcept { return committed_; }
    task<> roll_back();

    task<> progress(double part, std::string note);

    void discard() noexcept { discarded_ = true; }
    bool discarded() const noexcept { return discarded_; }

    /// Sets the minimum delay until the next attempt, in milliseconds.
    void delay_retry(std::int64_t least) noexcept { least_delay_ = least; }
    std::int64_t least_delay() const noexcept { return least_delay_; }

    /// Whether the end of this attempt may allow another job to start, apart from its slot.
    /// True for jobs of a lane, and if the concurrency of any handler is limited.
    bool holds_back_others = false;

private:
    const store& in_;
    claim_key key_;
    claimed_job job_;
    attempt_end end_ = attempt_end::none;
    wake_signal ended_;
    std::optional<sql::transaction> open_;
    bool committed_ = false;
    bool discarded_ = false;
    std::int64_t least_delay_ = 0;
};

}  // namespace apus::jobs::detail
