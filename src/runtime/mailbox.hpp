// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/counter.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace apus::runtime {

/// A call that another core executes.
/// The sender owns the call until `post`. Then `run` owns the call, and may destroy it or post it again. A call is in
/// at most one mailbox.
struct posted_call {
    posted_call* next = nullptr;
    void (*run)(posted_call&) noexcept = nullptr;
};

/// A lock-free multi-producer, single-consumer queue of posted calls.
/// Does not allocate. One word holds the newest call, or one of two empty states: owner awake or owner asleep. `post`
/// and `sleep` modify the same word, so a call that is posted between the owner's last check and its sleep cannot be
/// missed.
class mailbox {
public:
    mailbox() = default;
    mailbox(const mailbox&) = delete;
    mailbox& operator=(const mailbox&) = delete;
    ~mailbox();  ///< The mailbox must be empty: drain it after the last `post`.

    /// Posts a call from any thread.
    /// Returns true if the owner sleeps: the caller must wake it. Only the first call after `sleep` returns true.
    /// Writes of the sender before the call of this function are visible in `run`.
    [[nodiscard]] bool post(posted_call& l) noexcept;

    /// Runs all posted calls in order of arrival and returns their number.
    /// Only for the owner. Calls that are posted meanwhile run in the next `drain`. Ends the sleep state.
    std::size_t drain() noexcept;

    /// Announces that the owner is about to block for events.
    /// Only for the owner. Returns true if the mailbox is empty; the next `post` then returns true. Returns false if
    /// the mailbox contains calls.
    [[nodiscard]] bool sleep() noexcept;

    /// Returns the number of calls that a running `drain` has not run yet. From any thread.
    std::uint64_t waiting() const noexcept { return waiting_; }

private:
    base::counter waiting_;
    std::atomic<posted_call*> newest_ = nullptr;  // the newest call; nullptr or the mark of sleep: empty
};

}  // namespace apus::runtime
