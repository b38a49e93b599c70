// SPDX-License-Identifier: Apache-2.0
#include "server/thread_stack.hpp"

#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string_view>

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>

namespace apus::server {
namespace {

constexpr int max_frames = 24;
constexpr int handler_frames = 2;  // the signal handler and the signal trampoline

void* frames[max_frames];
std::atomic<int> frame_count = -1;  // -1: no capture requested

// glibc's `backtrace` does not lock or allocate after its first call.
void answer(int) noexcept {
    if (frame_count.load(std::memory_order_acquire) == 0)
        frame_count.store(backtrace(frames, max_frames), std::memory_order_release);
}

// Returns the name of the function at the address. Functions of the program itself have names only if it was linked
// with -rdynamic; otherwise returns the file and the offset in it, which addr2line accepts.
std::string name_of(void* address) {
    Dl_info found{};
    if (!dladdr(address, &found)) return "?";
    if (found.dli_sname) {
        int status = 0;
        const std::unique_ptr<char, void (*)(void*)> plain(
            abi::__cxa_demangle(found.dli_sname, nullptr, nullptr, &status), std::free);
        return plain ? plain.get() : found.dli_sname;
    }
    std::string_view file = found.dli_fname ? found.dli_fname : "?";
    char offset[20];
    const auto from = reinterpret_cast<std::uintptr_t>(found.dli_fbase), at = reinterpret_cast<std::uintptr_t>(address);
    char* const end = std::to_chars(offset, offset + sizeof offset, at - from, 16).ptr;
    return std::string(file.substr(file.rfind('/') + 1)).append("+0x").append(offset, end);
}

}  // namespace

thread_stacks::thread_stacks() noexcept {
    struct sigaction before{};
    if (sigaction(SIGURG, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
    void* first[1];
    backtrace(first, 1);  // loads libgcc in advance
    struct sigaction ours{};
    ours.sa_handler = answer;
    ours.sa_flags = SA_RESTART;
    installed_ = sigaction(SIGURG, &ours, nullptr) == 0;
}

thread_stacks::~thread_stacks() {
    if (installed_) signal(SIGURG, SIG_DFL);
}

std::string thread_stacks::of(pthread_t thread) const {
    constexpr timespec step{.tv_sec = 0, .tv_nsec = 1'000'000};
    constexpr int steps = 50;
    if (!installed_) return {};
    frame_count.store(0, std::memory_order_release);
    if (pthread_kill(thread, SIGURG) != 0) return {};
    int count = 0;
    for (int i = 0; i < steps && (count = frame_count.load(std::memory_order_acquire)) == 0; ++i)
        nanosleep(&step, nullptr);
    frame_count.store(-1, std::memory_order_release);
    std::string all;
    for (int i = handler_frames; i < count; ++i) all.append(all.empty() ? "" : " < ").append(name_of(frames[i]));
    return all;
}

}  // namespace apus::server
