// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>

namespace apus::runtime {

/// A message to another core.
/// Owned by the sender until it is posted, then by `open`, which may destroy or post it again. A letter is in at most
/// one mailbox.
struct letter {
    letter* next = nullptr;
    void (*open)(letter&) noexcept = nullptr;
};

/// A lock-free multi-producer, single-consumer queue of letters; allocates nothing.
/// One word holds the newest letter, or an empty state, or an empty state with a sleeping owner. As `post` and `sleep`
/// modify the same word, no letter can arrive unnoticed between the owner's last check and its sleep.
class mailbox {
public:
    mailbox() = default;
    mailbox(const mailbox&) = delete;
    mailbox& operator=(const mailbox&) = delete;
    ~mailbox();  ///< Must be empty: drain it after the last sender has ended.

    /// Posts a letter from any thread.
    /// True: the owner sleeps and the caller must wake it; only the first letter after `sleep` returns true. Writes
    /// before the call are visible in `open`.
    [[nodiscard]] bool post(letter& l) noexcept;

    /// Opens all letters in order of arrival and returns their number. Owner only.
    /// Letters posted meanwhile wait for the next call. Ends the sleep.
    std::size_t drain() noexcept;

    /// Announces that the owner is about to block for events.
    /// Owner only. Returns true if the mailbox is empty: the next `post` then returns true. Returns false if there are
    /// letters.
    [[nodiscard]] bool sleep() noexcept;

private:
    std::atomic<letter*> newest_ = nullptr;  // newest first; or nullptr; or the mark of sleep
};

}  // namespace apus::runtime
