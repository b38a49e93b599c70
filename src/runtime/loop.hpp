// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/backend.hpp"
#include "runtime/mailbox.hpp"
#include "runtime/timer_wheel.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace apus::runtime {

/// Something to do when the current event has been handled, before the loop waits.
struct deferred {
    deferred* next = nullptr;
    void (*run)(deferred&) noexcept = nullptr;
    bool waits = false;
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
    std::uint64_t now() const noexcept { return io_->clock().now(); }  ///< Milliseconds; the same all through a turn.

    void post(letter&) noexcept;   ///< From any thread.
    void later(deferred&) noexcept;  ///< Once, however often it is asked for before it runs.
    void forget(deferred&) noexcept;

    /// Runs `e` when the loop ends, unless it is taken out before.
    void at_end(loop_end& e) noexcept;
    static void take_out(loop_end& e) noexcept;

    /// Runs what waits for the end, and turns until each stream that was closed knows that it is.
    /// On the loop's own thread; the destructor does it there, if nobody has.
    void settle() noexcept;

    void run();                    ///< Until `stop`.
    void stop() noexcept { stopped_ = true; }
    void turn(std::int64_t longest_wait = -1);  ///< One round, for those who own the thread.

private:
    void run_deferred() noexcept;
    std::int64_t wait_for(std::int64_t longest);

    std::unique_ptr<backend> io_;
    timer_wheel timers_;
    mailbox inbox_;
    deferred* first_ = nullptr;
    deferred** last_ = &first_;
    loop_end* ends_ = nullptr;
    bool stopped_ = false;
};

/// Seconds since 1970-01-01, by the clock of this thread's loop if it has one.
std::int64_t unix_seconds() noexcept;

}  // namespace apus::runtime
