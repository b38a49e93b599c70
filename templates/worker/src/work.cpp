// SPDX-License-Identifier: Apache-2.0
#include "work.hpp"

#include <apus/log.hpp>
#include <condition_variable>
#include <exception>
#include <mutex>

work::work(std::chrono::milliseconds every)
    : thread_([this, every](const std::stop_token& stop) { run(stop, every); }) {}

// The periodic work. Replace the body by your own. An exception is logged and does not prevent the next run.
void work::round() {
    const auto number = rounds_.fetch_add(1, std::memory_order_relaxed) + 1;
    apus::log::info("worked", {"round", number});
}

void work::run(const std::stop_token& stop, std::chrono::milliseconds every) {
    std::mutex lock;  // guards no data: the condition variable requires a lock
    std::condition_variable_any wakes;
    std::unique_lock hold(lock);
    while (!stop.stop_requested()) {
        try {
            round();
        } catch (const std::exception& why) {
            apus::log::error("a round failed", {"why", why.what()});
        }
        wakes.wait_for(hold, stop, every, [] { return false; });
    }
}
