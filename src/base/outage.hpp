// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace apus::base {

/// Tracks whether a service works, and limits the attempts while it fails. Thread-safe.
/// Times are in milliseconds of a monotonic clock.
class outage {
public:
    static constexpr std::uint64_t pause = 1'000;  ///< Milliseconds between attempts while the service fails.

    /// Returns milliseconds of a monotonic clock, for threads that have no loop.
    static std::uint64_t clock_now() noexcept {
        using namespace std::chrono;
        const auto now = steady_clock::now().time_since_epoch();
        return static_cast<std::uint64_t>(duration_cast<std::chrono::milliseconds>(now).count());
    }

    bool ongoing() const noexcept { return next_try_.load(std::memory_order_relaxed) != 0; }
    /// Returns true if the service works, or if the next attempt to use it is due.
    /// The caller then makes the attempt.
    bool may_try(std::uint64_t now) noexcept {
        std::uint64_t due = next_try_.load(std::memory_order_relaxed);
        if (due == 0) return true;
        return now >= due && next_try_.compare_exchange_strong(due, now + pause, std::memory_order_relaxed);
    }
    /// Call after a failure. Returns true if the service worked before.
    bool begin(std::uint64_t now) noexcept { return next_try_.exchange(now + pause, std::memory_order_relaxed) == 0; }
    /// Call after a success. Returns true if the service failed before.
    bool end() noexcept { return ongoing() && next_try_.exchange(0, std::memory_order_relaxed) != 0; }

private:
    std::atomic<std::uint64_t> next_try_{0};  // 0: the service works
};

}  // namespace apus::base
