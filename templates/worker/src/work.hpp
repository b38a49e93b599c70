// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

/// Runs work once per interval, on its own thread, until destroyed.
class work {
public:
    explicit work(std::chrono::milliseconds every);

    /// Returns the number of runs that have begun. Callable from any thread.
    std::uint64_t rounds() const noexcept { return rounds_.load(std::memory_order_relaxed); }

private:
    void round();
    void run(const std::stop_token& stop, std::chrono::milliseconds every);

    std::atomic<std::uint64_t> rounds_ = 0;
    std::jthread thread_;
};
