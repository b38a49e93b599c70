// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>

namespace apus::runtime {

/// Something for another core to do. Owned by the sender until it is posted; then by `open`, which
/// may destroy or post it again. A letter is in one mailbox at most.
struct letter {
    letter* next = nullptr;
    void (*open)(letter&) noexcept = nullptr;
};

/// Letters from any thread to the one that owns the mailbox, without locks or allocation.
///
/// One word says everything: the newest letter, or that there is none, or that there is none and
/// the owner may be asleep. So no letter can come in between the owner's last look and its sleep
/// unseen: one of `post` and `sleep` comes first in the order of changes to that one word.
class mailbox {
public:
    mailbox() = default;
    mailbox(const mailbox&) = delete;
    mailbox& operator=(const mailbox&) = delete;
    ~mailbox();  ///< Nothing may be inside: drain it when the last sender is gone.

    /// Puts a letter in. Any thread. True: the owner said that it sleeps, and the caller must wake
    /// it; only the first letter after `sleep` gives true. What was written before is seen by `open`.
    [[nodiscard]] bool post(letter& l) noexcept;

    /// Opens all letters that are in, in the order in which they came, and says how many. Owner only.
    /// Letters posted meanwhile, also by those opened, wait for the next time. Ends the sleep.
    std::size_t drain() noexcept;

    /// To be asked before blocking for events. True: the mailbox is empty, and whoever posts next is
    /// told to wake the owner, until the next `drain`. False: there are letters. Owner only.
    [[nodiscard]] bool sleep() noexcept;

private:
    std::atomic<letter*> newest_ = nullptr;  // newest first; or nullptr; or the mark of sleep
};

}  // namespace apus::runtime
