// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>

namespace apus::runtime {

/// `co_await next_turn()` goes on in the loop's next turn: others have had theirs in between. For
/// long work that stays on its core. Cancelling the task that waits is safe.
class [[nodiscard]] next_turn {
public:
    next_turn() noexcept = default;
    next_turn(const next_turn&) = delete;
    next_turn& operator=(const next_turn&) = delete;
    ~next_turn();

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiter);
    void await_resume() noexcept { letter_ = nullptr; }

private:
    struct note;
    note* letter_ = nullptr;  // in the mailbox, which nothing can be taken out of
};

}  // namespace apus::runtime
