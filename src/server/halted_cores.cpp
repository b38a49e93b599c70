// SPDX-License-Identifier: Apache-2.0
#include "server/halted_cores.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <ctime>

namespace apus::server {
namespace {

// A signal handler has no object.
struct halting_state {
    static constexpr std::size_t max_cores = 1024;

    std::atomic<bool> over = false;
    std::atomic<std::size_t> count = 0;
    std::atomic<const runtime::activity*> halted[max_cores];
};
halting_state halting;

void pause_briefly() noexcept {
    constexpr timespec step{.tv_sec = 0, .tv_nsec = 1'000'000};
    nanosleep(&step, nullptr);
}

void halt(int) noexcept {
    const int error = errno;
    const std::size_t index = halting.count.load() < halting_state::max_cores ? halting.count.fetch_add(1) : ~0UL;
    if (index < halting_state::max_cores) halting.halted[index] = runtime::activity::here();
    for (int i = 0; i < 10'000 && !halting.over; ++i) pause_briefly();
    errno = error;
}

}  // namespace

halted_cores::halted_cores(std::span<const watched_core> cores) noexcept {
    halting.count = 0;
    halting.over = false;
    struct sigaction how{};
    how.sa_handler = halt;
    how.sa_flags = SA_RESTART | SA_ONSTACK;
    sigemptyset(&how.sa_mask);
    if (sigaction(SIGURG, &how, nullptr) != 0) return;
    for (const auto& core : cores)
        if (core.doing != runtime::activity::here()) pthread_kill(core.thread, SIGURG);
    const auto halted = [](const watched_core& core) { return includes(core.doing); };
    for (int i = 0; i < 100 && !std::ranges::all_of(cores, halted); ++i) pause_briefly();
}

halted_cores::~halted_cores() { halting.over = true; }

bool halted_cores::includes(const runtime::activity* core) noexcept {
    if (core == runtime::activity::here()) return true;
    const std::size_t count = std::min(halting.count.load(), halting_state::max_cores);
    return std::find(halting.halted, halting.halted + count, core) != halting.halted + count;
}

}  // namespace apus::server
