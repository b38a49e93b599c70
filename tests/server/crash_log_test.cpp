// SPDX-License-Identifier: Apache-2.0
#include "server/crash_log.hpp"

#include "runtime/loop.hpp"
#include "server/process_output.hpp"

#include <apus/log.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include <sys/resource.h>

using namespace apus;
using server::crash_log;
using server::signal_stack;
using test::lines_of;
using test::said_by_process;

namespace {

// Removes the signal handlers of sanitizers and doctest, so that the process has the default actions of a program.
void prepare() {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM}) std::signal(number, SIG_DFL);
    const stack_t no_stack{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
    sigaltstack(&no_stack, nullptr);
}

void find_no_memory() { throw std::bad_alloc(); }

struct call_without_memory final : runtime::deferred {
    call_without_memory() {
        run = [](deferred&) noexcept { find_no_memory(); };
    }
};

}  // namespace

TEST_CASE("a crash is logged once, after earlier records, with its usual exit status") {
    for (const auto& [number, name] :
         {std::pair(SIGSEGV, "SIGSEGV"), std::pair(SIGABRT, "SIGABRT"), std::pair(SIGFPE, "SIGFPE")}) {
        const auto text = said_by_process(
            "logfmt",
            [sent = number] {
                prepare();
                const crash_log crashes;
                const signal_stack stack;
                log::info("before");
                if (sent == SIGSEGV) *reinterpret_cast<volatile int*>(std::uintptr_t{16}) = 1;
                std::raise(sent);
            },
            -number);
        const auto lines = lines_of(text);
        REQUIRE(lines.size() == 2);
        CHECK(lines[0].contains("msg=before"));
        CHECK(lines[1].contains("level=error msg=\"the process crashed\" thread=apus_server_tes signal=" +
                                std::string(name)));
    }
}

TEST_CASE("a deferred call without memory ends the process, with its cause and a record of the crash") {
    const auto text = said_by_process(
        "logfmt",
        [] {
            prepare();
            const crash_log crashes;
            const signal_stack stack;
            log::info("before");
            runtime::loop l(runtime::make_epoll_backend());
            call_without_memory call;
            l.later(call);
            l.turn(0);
        },
        -SIGABRT);
    CHECK(text.contains("std::bad_alloc"));
    CHECK(text.contains("level=error msg=\"the process crashed\""));
    CHECK(text.contains("signal=SIGABRT"));
}

TEST_CASE("a second thread that crashes meanwhile does not cut off the record of the first one") {
    const auto text = said_by_process(
        "logfmt",
        [] {
            prepare();
            const crash_log crashes;
            log::info("before");
            std::thread second([] {
                std::this_thread::sleep_for(std::chrono::milliseconds(10));  // the first thread is writing its record
                std::raise(SIGABRT);
            });
            std::raise(SIGABRT);
            second.join();
        },
        -SIGABRT);
    const auto lines = lines_of(text);
    REQUIRE(lines.size() == 2);
    CHECK(lines[1].contains("msg=\"the process crashed\" thread=apus_server_tes signal=SIGABRT"));
}

TEST_CASE("existing handlers are kept, and ours are removed with their object") {
    prepare();
    const auto theirs = [](int) {};
    std::signal(SIGFPE, theirs);
    {
        const crash_log crashes;
        CHECK((std::signal(SIGFPE, theirs) == static_cast<void (*)(int)>(theirs)));
    }
    CHECK((std::signal(SIGSEGV, SIG_DFL) == SIG_DFL));
    std::signal(SIGFPE, SIG_DFL);
}

TEST_CASE("an existing signal stack is kept") {
    std::thread([] {
        const signal_stack outer;
        stack_t first{}, second{};
        sigaltstack(nullptr, &first);
        {
            const signal_stack inner;
            sigaltstack(nullptr, &second);
            CHECK(first.ss_sp == second.ss_sp);
        }
        sigaltstack(nullptr, &second);
        CHECK(first.ss_sp == second.ss_sp);
    }).join();
}
