// SPDX-License-Identifier: Apache-2.0
#include "profiling/stack.hpp"

#include "profiling/symbols.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace apus::profiling;

namespace {

std::uintptr_t frames[32];
volatile std::size_t count = 0;
volatile bool skips = false;

// Captures the stack. After a call of a null pointer, returns to the caller by the same change of the registers.
void on_signal(int, siginfo_t*, void* context) noexcept {
    recover_from_fault();
    count = capture_stack(context, skips ? std::span(frames).first(3) : std::span(frames));
}

struct handled {
    explicit handled(int n) : number(n) {
        struct sigaction ours{};
        ours.sa_sigaction = on_signal;
        ours.sa_flags = SA_SIGINFO;
        sigaction(number, &ours, &before);
    }
    handled(const handled&) = delete;
    handled& operator=(const handled&) = delete;
    ~handled() { sigaction(number, &before, nullptr); }

    int number;
    struct sigaction before{};
};

[[gnu::noinline]] void interrupted_function() {
    std::raise(SIGUSR1);
    asm volatile("");  // no tail call
}
[[gnu::noinline]] void calling_function() {
    interrupted_function();
    asm volatile("");
}

#ifndef APUS_SANITIZED
void read_address(void* of) noexcept { static_cast<void>(*static_cast<volatile int*>(of)); }
#endif

std::string names() {
    symbols all;
    std::string made;
    for (std::size_t i = 0; i < count; ++i) made += demangled(all.name_of(frames[i])) + "\n";
    return made;
}

}  // namespace

TEST_CASE("the stack of interrupted code is captured") {
    prepare_to_capture();
    const handled usr1(SIGUSR1);
    calling_function();
    const std::string all = names();
    const auto inner = all.find("interrupted_function"), outer = all.find("calling_function");
    CHECK(inner != all.npos);
    CHECK(outer != all.npos);
    CHECK(inner < outer);
    CHECK(all.contains("\nmain\n"));
    CHECK_FALSE(all.contains("on_signal"));
}

TEST_CASE("deep stacks are cut") {
    const handled usr1(SIGUSR1);
    skips = true;
    calling_function();
    skips = false;
    CHECK(count == 3);
}

#ifndef APUS_SANITIZED  // sanitizers have their own handlers
TEST_CASE("code that faults is survived") {
    const handled segv(SIGSEGV);
    int readable = 1;
    CHECK(survives(read_address, &readable));
    for (int i = 0; i < 2; ++i)  // the second fault ends the process if the signal stays blocked
        CHECK_FALSE(survives(read_address, reinterpret_cast<void*>(std::uintptr_t{16})));
    CHECK(survives(read_address, &readable));
}
#endif
