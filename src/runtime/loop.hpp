// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/activity.hpp"
#include "runtime/backend.hpp"
#include "runtime/mailbox.hpp"
#include "runtime/memory_budget.hpp"
#include "runtime/timer_wheel.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace apus::runtime {

/// A call to make when the current event has been handled, before the loop waits. `run` must not
/// throw: an exception in it, `std::bad_alloc` included, ends the process (docs/decisions/0026).
struct deferred {
    deferred* next = nullptr;
    deferred** at = nullptr;  // the pointer to it in the list; null while it is not in one
    void (*run)(deferred&) noexcept = nullptr;

    bool waits() const noexcept { return at != nullptr; }
};

/// Somebody whose sockets are closed when the loop ends.
struct loop_end {
    loop_end* next = nullptr;
    loop_end** at = nullptr;
    void (*run)(loop_end&) noexcept = nullptr;
};

/// One thread's share of the program: its events, timers and letters. Nothing of it may be used
/// from another thread but `post`.
class loop {
public:
    explicit loop(std::unique_ptr<backend>);  ///< On the thread that will run it.
    loop(const loop&) = delete;
    loop& operator=(const loop&) = delete;
    ~loop();

    /// The loop that this thread made and has not destroyed. Its absence is a bug of the caller.
    static loop& current() noexcept;
    static bool exists() noexcept;

    backend& io() noexcept { return *io_; }
    timer_wheel& timers() noexcept { return timers_; }
    core_memory& memory() noexcept { return memory_; }                 ///< What this core holds for its clients.
    std::uint64_t now() const noexcept { return io_->clock().now(); }  ///< Milliseconds; the same all through a turn.

    activity& doing() noexcept { return io_->clock().doing; }

    void post(letter&) noexcept;     ///< From any thread.
    void later(deferred&) noexcept;  ///< Once, however often it is asked for before it runs.
    void forget(deferred&) noexcept;

    /// Deferred calls of one turn. Those left over run in the next turn, which does not wait for events.
    static constexpr unsigned calls_per_turn = 1024;

    /// Runs `e` when the loop ends, unless it is taken out before.
    void at_end(loop_end& e) noexcept;
    static void take_out(loop_end& e) noexcept;

    /// Runs what waits for the end, and turns until each stream that was closed knows that it is.
    /// On the loop's own thread; the destructor does it there, if nobody has.
    void settle() noexcept;

    void run();  ///< Until `stop`.
    void stop() noexcept { stopped_ = true; }
    void turn(std::int64_t longest_wait = -1);  ///< One round, for those who own the thread.

private:
    void run_deferred() noexcept;
    void fire_timers() noexcept;
    std::int64_t wait_for(std::int64_t longest);

    core_memory memory_;  // outlives what is on it
    std::unique_ptr<backend> io_;
    timer_wheel timers_;
    mailbox inbox_;
    deferred* first_ = nullptr;
    deferred** last_ = &first_;
    unsigned calls_left_ = calls_per_turn;
    loop_end* ends_ = nullptr;
    bool stopped_ = false;
    bool waited_for_input_ = false;  // late timers have let a turn pass
};

/// Seconds since 1970-01-01, by the clock of this thread's loop if it has one.
std::int64_t unix_seconds() noexcept;

}  // namespace apus::runtime
