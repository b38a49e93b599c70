// SPDX-License-Identifier: Apache-2.0
#include "server/thread_stack.hpp"

#include "profiling/stack.hpp"
#include "profiling/symbols.hpp"

#include <atomic>
#include <charconv>
#include <csignal>
#include <ctime>
#include <string_view>

namespace apus::server {
namespace {

constexpr int max_frames = 24;

std::uintptr_t frames[max_frames];
std::atomic<int> frame_count = -1;  // -1: no capture requested

void answer(int, siginfo_t*, void* context) noexcept {
    if (frame_count.load(std::memory_order_acquire) == 0)
        frame_count.store(static_cast<int>(profiling::capture_stack(context, frames)), std::memory_order_release);
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

std::span<const std::uintptr_t> thread_stacks::of(pthread_t thread) const {
    constexpr timespec step{.tv_sec = 0, .tv_nsec = 1'000'000};
    constexpr int steps = 250;  // threads that are not blocked may wait for a processor
    if (!installed_) return {};
    frame_count.store(0, std::memory_order_release);
    if (pthread_kill(thread, SIGURG) != 0) return {};
    int count = 0;
    for (int i = 0; i < steps && (count = frame_count.load(std::memory_order_acquire)) == 0; ++i)
        nanosleep(&step, nullptr);
    frame_count.store(-1, std::memory_order_release);
    return {frames, static_cast<std::size_t>(count)};
}

std::string text_of_stack(std::span<const std::uintptr_t> stack) {
    if (stack.empty()) return {};  // reading the symbols takes long
    profiling::symbols all;
    std::string made;
    for (const auto address : stack) made.append(made.empty() ? "" : " < ").append(name_of(all, address));
    return made;
}

}  // namespace apus::server
