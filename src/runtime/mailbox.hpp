// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>

namespace apus::runtime {

/// A message to another core.
/// Owned by the sender until it is posted, then by `run`, which may destroy or post it again. A call is in at most one
/// mailbox.
struct posted_call {
    posted_call* next = nullptr;
    void (*run)(posted_call&) noexcept = nullptr;
};

/// A lock-free multi-producer, single-consumer queue of posted calls; allocates nothing.
/// One word holds the newest call, or an empty state, or an empty state with a sleeping owner. As `post` and `sleep`
/// modify the same word, no call can arrive unnoticed between the owner's last check and its sleep.
class mailbox {
public:
    mailbox() = default;
    mailbox(const mailbox&) = delete;
    mailbox& operator=(const mailbox&) = delete;
    ~mailbox();  ///< Must be empty: drain it after the last sender has ended.

    /// Posts a call from any thread.
    /// True: the owner sleeps and the caller must wake it; only the first call after `sleep` returns true. Writes
    /// before the call are visible in `run`.
    [[nodiscard]] bool post(posted_call& l) noexcept;

    /// Runs all posted calls in order of arrival and returns their number. Owner only.
    /// Calls posted meanwhile run in the next `drain`. Ends the sleep.
    std::size_t drain() noexcept;

    /// Announces that the owner is about to block for events.
    /// Owner only. Returns true if the mailbox is empty: the next `post` then returns true. Returns false if there are
    /// posted calls.
    [[nodiscard]] bool sleep() noexcept;

private:
    std::atomic<posted_call*> newest_ = nullptr;  // newest first; or nullptr; or the mark of sleep
};

}  // namespace apus::runtime
