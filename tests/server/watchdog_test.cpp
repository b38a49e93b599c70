// SPDX-License-Identifier: Apache-2.0
#include "server/watchdog.hpp"

#include "server/process_output.hpp"
#include "server/thread_stack.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include <poll.h>
#include <unistd.h>

using namespace apus;
using server::thread_stacks;
using server::watchdog;
using test::lines_of;
using test::said_by_process;

namespace {

bool rings(const watchdog& dog) {
    pollfd p{dog.wakeup_fd(), POLLIN, 0};
    return poll(&p, 1, 0) == 1;
}

}  // namespace

TEST_CASE("a watchdog checks while a loop is busy, and otherwise sleeps until a loop signals it") {
    runtime::activity one, two;
    watchdog dog(milliseconds(1000), false), off(milliseconds(0), false);
    CHECK(dog.look(5) == -1);
    for (auto* d : {&dog, &off})
        for (auto* a : {&one, &two}) d->watch(*a, pthread_self());
    one.wakes(10'000);
    CHECK(off.look(10'100) == -1);
    CHECK(dog.look(10'100) == 900);
    one.sleeps();
    CHECK(dog.look(11'000) == 1000);
    CHECK(dog.look(11'100) == 900);  // called earlier than requested
    CHECK(dog.look(12'000) == -1);
    CHECK(!rings(dog));
    two.wakes(20'000);
    CHECK(rings(dog));
    CHECK(dog.look(20'000) == 1000);
}

TEST_CASE("a loop that wakes up repeatedly signals at most once per check") {
    runtime::activity often;
    watchdog dog(milliseconds(1000), false);
    dog.watch(often, pthread_self());
    int rung = 0;
    for (std::uint64_t now = 10'000; now < 20'000; ++now) {
        often.wakes(now);
        rung += rings(dog);
        std::uint64_t count;
        [[maybe_unused]] auto n = read(dog.wakeup_fd(), &count, sizeof count);
        often.sleeps();
        dog.look(now);
    }
    CHECK(rung <= 10);
}

TEST_CASE("a blocked loop is reported once, and again when it recovers") {
    const auto text = said_by_process("logfmt", [] {
        runtime::activity idle, blocked;
        watchdog dog(milliseconds(100), false);
        dog.watch(idle, pthread_self());
        dog.watch(blocked, pthread_self());
        blocked.wakes(10'000);
        for (std::uint64_t now = 10'350; now < 10'400; ++now) CHECK(dog.look(now) <= 20);
        blocked.wakes(10'400);
        dog.look(10'500);
        blocked.sleeps();
        dog.look(10'700);
    });
    const auto lines = lines_of(text);
    REQUIRE(lines.size() == 4);
    CHECK(lines[0].contains("level=warn msg=\"the core is blocked\""));
    CHECK(lines[0].contains(" core=1 ms=350"));
    CHECK(lines[1].ends_with("msg=\"the core is no longer blocked\" thread=apus_server_tes core=1 ms=400"));
    CHECK(lines[2].contains("is blocked"));
    CHECK(lines[3].ends_with("core=1 ms=300"));
}

constexpr std::chrono::milliseconds patience(20'000);

TEST_CASE("the stack of a thread is captured while it runs and while it waits") {
    const thread_stacks stacks;
    std::atomic<bool> ends = false;
    std::atomic<int> begun = 0;
    std::thread spins([&] {
        for (++begun; !ends;) {}
    });
    std::thread waits([&] {
        for (++begun; !ends;) poll(nullptr, 0, 10);
    });
    while (begun < 2) std::this_thread::yield();
    for (auto* t : {&spins, &waits}) {
        std::chrono::milliseconds longest = patience;
        const std::string stack = server::text_of_stack(stacks.of(t->native_handle(), longest));
        INFO(stack);
        CHECK(!stack.empty());
#ifndef APUS_SANITIZED  // a stack may end in a function of a sanitizer, which has no unwind table
        CHECK(stack.contains("std::thread"));
        CHECK(stack.contains(" < "));
#endif
    }
    ends = true;
    spins.join();
    waits.join();
}

// A thread that blocks SIGURG until `unblock`, and 50 ms longer.
class deaf_thread {
public:
    deaf_thread() : thread_([this] { run(); }) {
        while (!deaf_) std::this_thread::yield();
    }
    deaf_thread(const deaf_thread&) = delete;
    deaf_thread& operator=(const deaf_thread&) = delete;
    ~deaf_thread() {
        unblock();
        ends_ = true;
        thread_.join();
    }
    void unblock() { unblocks_ = true; }
    pthread_t handle() { return thread_.native_handle(); }

private:
    void run() {
        sigset_t urgent;
        sigemptyset(&urgent);
        sigaddset(&urgent, SIGURG);
        pthread_sigmask(SIG_BLOCK, &urgent, nullptr);
        for (deaf_ = true; !unblocks_;) poll(nullptr, 0, 1);
        poll(nullptr, 0, 50);
        pthread_sigmask(SIG_UNBLOCK, &urgent, nullptr);
        while (!ends_) poll(nullptr, 0, 1);
    }
    std::atomic<bool> deaf_ = false, unblocks_ = false, ends_ = false;
    std::thread thread_;
};

TEST_CASE("a signal that arrives late does not give the stack of another thread") {
    const thread_stacks stacks;
    deaf_thread late, other;
    std::chrono::milliseconds longest(20);
    CHECK(stacks.of(late.handle(), longest).empty());
    late.unblock();
    longest = std::chrono::milliseconds(500);
    CHECK(stacks.of(other.handle(), longest).empty());
}

TEST_CASE("the time of all captures is limited together") {
    const thread_stacks stacks;
    deaf_thread deaf;
    std::chrono::milliseconds longest(20);
    CHECK(stacks.of(deaf.handle(), longest).empty());
    CHECK(longest.count() <= 0);
    CHECK(stacks.of(pthread_self(), longest).empty());
    longest = patience;
    CHECK(!stacks.of(pthread_self(), longest).empty());
    CHECK(longest.count() > 0);
}

TEST_CASE("a program's own SIGURG handler is kept") {
    const auto before = std::signal(SIGURG, [](int) {});
    {
        const thread_stacks stacks;
        std::chrono::milliseconds longest = patience;
        CHECK(stacks.of(pthread_self(), longest).empty());
    }
    CHECK((std::signal(SIGURG, before) != SIG_DFL));
}
