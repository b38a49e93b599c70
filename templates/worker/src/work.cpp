// SPDX-License-Identifier: Apache-2.0
#include "work.hpp"

#include <apus/log.hpp>
#include <condition_variable>
#include <mutex>

work::work(std::chrono::milliseconds every)
    : thread_([this, every](const std::stop_token& stop) { run(stop, every); }) {}

void work::run(const std::stop_token& stop, std::chrono::milliseconds every) {
    std::mutex lock;
    std::condition_variable_any wakes;
    std::unique_lock hold(lock);
    while (!stop.stop_requested()) {
        const auto round = rounds_.fetch_add(1, std::memory_order_relaxed) + 1;
        apus::log::info("worked", {"round", round});
        wakes.wait_for(hold, stop, every, [] { return false; });
    }
}
