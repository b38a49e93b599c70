// SPDX-License-Identifier: Apache-2.0
#include "server/thread_stack.hpp"

#include "profiling/stack.hpp"
#include "profiling/symbols.hpp"

#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <string_view>

namespace apus::server {
namespace {

constexpr int max_frames = 24;

// The capture in progress. A signal may arrive long after its request: the handler then finds another generation or
// another thread, and does nothing.
enum class stage : std::uint64_t {
    none,
    requested,
    writing,  // the handler uses `frames`
    captured
};
constexpr std::uint64_t stages = 4;

std::uintptr_t frames[max_frames];
std::size_t frame_count = 0;                   // written before the stage `captured`
std::atomic<pthread_t> asked_thread{};         // written before the stage `requested`
std::atomic<std::uint64_t> capture_state = 0;  // the stage, plus `stages` times the generation

constexpr std::uint64_t state_of(std::uint64_t generation, stage s) noexcept {
    return generation * stages + static_cast<std::uint64_t>(s);
}

void answer(int, siginfo_t*, void* context) noexcept {
    std::uint64_t seen = capture_state.load(std::memory_order_acquire);
    const std::uint64_t generation = seen / stages;
    if (seen != state_of(generation, stage::requested)) return;
    if (!pthread_equal(asked_thread.load(std::memory_order_relaxed), pthread_self())) return;
    if (!capture_state.compare_exchange_strong(seen, state_of(generation, stage::writing), std::memory_order_acquire))
        return;
    frame_count = profiling::capture_stack(context, frames);
    capture_state.store(state_of(generation, stage::captured), std::memory_order_release);
}

// Returns the name of the function at the address; otherwise the file and the offset in it, which addr2line accepts.
std::string name_of(profiling::symbols& all, std::uintptr_t address) {
    if (const auto name = all.name_of(address); !name.empty()) return profiling::demangled(name);
    const auto* const module = all.module_of(address);
    if (!module) return "?";
    char offset[20];
    char* const end = std::to_chars(offset, offset + sizeof offset, address - module->start + module->offset, 16).ptr;
    return std::string(module->path.substr(module->path.rfind('/') + 1)).append("+0x").append(offset, end);
}

}  // namespace

thread_stacks::thread_stacks() noexcept {
    struct sigaction before{};
    if (sigaction(SIGURG, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
    profiling::prepare_to_capture();
    struct sigaction ours{};
    ours.sa_sigaction = answer;
    ours.sa_flags = SA_SIGINFO | SA_RESTART;
    installed_ = sigaction(SIGURG, &ours, nullptr) == 0;
}

thread_stacks::~thread_stacks() {
    if (installed_) signal(SIGURG, SIG_DFL);
}

std::span<const std::uintptr_t> thread_stacks::of(pthread_t thread, std::chrono::milliseconds& longest) const {
    constexpr timespec step{.tv_sec = 0, .tv_nsec = 1'000'000};
    using clock = std::chrono::steady_clock;
    if (!installed_ || longest.count() <= 0) return {};
    const auto began = clock::now(), until = began + longest;
    const std::uint64_t before = capture_state.load(std::memory_order_acquire), generation = before / stages + 1;
    if (before % stages == static_cast<std::uint64_t>(stage::writing)) return {};  // a stopped thread uses `frames`
    asked_thread.store(thread, std::memory_order_relaxed);
    std::uint64_t state = state_of(generation, stage::requested);
    capture_state.store(state, std::memory_order_release);
    if (pthread_kill(thread, SIGURG) == 0) {
        while ((state = capture_state.load(std::memory_order_acquire)) != state_of(generation, stage::captured) &&
               clock::now() < until)
            nanosleep(&step, nullptr);
    }
    longest -= std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - began);
    // A handler that has not begun finds no request. One that has begun keeps `frames` until it ends.
    state = state_of(generation, stage::requested);
    if (capture_state.compare_exchange_strong(state, state_of(generation, stage::none))) return {};
    if (state != state_of(generation, stage::captured)) return {};
    return {frames, frame_count};
}

std::string text_of_stack(std::span<const std::uintptr_t> stack) {
    if (stack.empty()) return {};  // reading the symbols takes long
    profiling::symbols all;
    std::string made;
    for (const auto address : stack) made.append(made.empty() ? "" : " < ").append(name_of(all, address));
    return made;
}

}  // namespace apus::server
