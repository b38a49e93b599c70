// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/activity.hpp"
#include "runtime/backend.hpp"
#include "runtime/instruments.hpp"
#include "runtime/mailbox.hpp"
#include "runtime/memory_budget.hpp"
#include "runtime/timer_wheel.hpp"

#include <apus/duration.hpp>

#include <atomic>
#include <cstdint>
#include <memory>

namespace apus::runtime {

/// A call that runs after the current event has been handled, before the loop waits.
/// `run` must not throw: any exception, including `std::bad_alloc`, ends the process (docs/decisions/0026).
struct deferred {
    deferred* next = nullptr;
    deferred** at = nullptr;  // the list pointer that refers to this; null: not in a list
    void (*run)(deferred&) noexcept = nullptr;

    bool waits() const noexcept { return at != nullptr; }
};

/// Listener for the end of the loop. `run` must close the listener's sockets.
struct loop_end {
    loop_end* next = nullptr;
    loop_end** at = nullptr;
    void (*run)(loop_end&) noexcept = nullptr;
};

/// Event loop of one thread, with timers and posted calls. Other threads may only call `post`.
class loop {
public:
    explicit loop(std::unique_ptr<backend>);  ///< Call on the thread that will run the loop.
    loop(const loop&) = delete;
    loop& operator=(const loop&) = delete;
    ~loop();

    /// Returns the loop of this thread, which must exist.
    static loop& current() noexcept;
    static bool exists() noexcept;

    backend& io() noexcept { return *io_; }
    timer_wheel& timers() noexcept { return timers_; }
    core_memory& memory() noexcept { return memory_; }                 ///< Memory account of this core.
    instrument_list& instruments() noexcept { return instruments_; }   ///< Numbers of libraries on this core.
    std::uint64_t now() const noexcept { return io_->clock().now(); }  ///< Milliseconds; constant within a turn.
    /// Returns `now()` plus `d`. `d` must not be negative.
    std::uint64_t due_in(duration d) const noexcept { return now() + static_cast<std::uint64_t>(d.milliseconds()); }

    activity& doing() noexcept { return io_->clock().doing; }

    void post(posted_call&) noexcept;  ///< Thread-safe.
    void later(deferred&) noexcept;    ///< Queues the call, unless it is already queued.
    void forget(deferred&) noexcept;

    /// Maximum deferred calls per turn.
    /// Further calls run in the next turn, which does not wait for events.
    static constexpr unsigned calls_per_turn = 1024;
    /// Number of turns that have postponed calls. From any thread.
    std::uint64_t postponing_turns() const noexcept { return postponing_turns_; }

    /// Number of calls that wait to run: deferred calls, and posted calls that this turn has taken.
    /// From any thread.
    std::uint64_t ready_calls() const noexcept { return deferred_calls_ + inbox_.waiting(); }

    /// Calls `e.run` when the loop ends, unless `take_out` is called earlier.
    void at_end(loop_end& e) noexcept;
    static void take_out(loop_end& e) noexcept;

    /// Calls the `loop_end` listeners, then runs turns until `receiver::closed` was called for all
    /// closed sockets. Only on the loop's thread. The destructor calls this function too.
    void settle() noexcept;

    void run();  ///< Runs turns until `stop`.
    void stop() noexcept { stopped_ = true; }
    void turn(std::int64_t longest_wait = -1);  ///< Runs one turn, an iteration of the loop.

private:
    void run_deferred() noexcept;
    void fire_timers() noexcept;
    std::int64_t wait_for(std::int64_t longest);

    core_memory memory_;           // must outlive the objects that it counts
    instrument_list instruments_;  // must outlive the objects that write to it
    std::unique_ptr<backend> io_;
    timer_wheel timers_;
    mailbox inbox_;
    deferred* first_ = nullptr;
    deferred** last_ = &first_;
    unsigned calls_left_ = calls_per_turn;
    base::counter postponing_turns_, deferred_calls_;
    loop_end* ends_ = nullptr;
    bool stopped_ = false;
    bool waited_for_input_ = false;  // late timers were already postponed by one turn
};

/// Returns seconds since 1970-01-01.
/// Uses the clock of this thread's loop, or the system clock without a loop.
std::int64_t unix_seconds() noexcept;

}  // namespace apus::runtime
