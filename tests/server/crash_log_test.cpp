// SPDX-License-Identifier: Apache-2.0
#include "server/crash_log.hpp"

#include "runtime/loop.hpp"
#include "runtime/signal_stack.hpp"
#include "server/last_exception.hpp"
#include "server/process_output.hpp"

#include <apus/log.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

std::atomic<bool> write_hangs = false;

}  // namespace

// Replaces the function of the C library: a file system that does not answer cannot be created without root.
extern "C" ssize_t write(int to, const void* bytes, size_t size) {
    while (write_hangs) pause();
    return syscall(SYS_write, to, bytes, size);
}

using namespace apus;
using runtime::signal_stack;
using server::crash_log;
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
    CHECK(text.contains("exception=std::bad_alloc what=std::bad_alloc"));
    CHECK(text.contains(" stack="));
    CHECK(server::last_exception().type.empty());
}

TEST_CASE("the peer of the socket sees a crash before its report is written, but not a crash of a forked process") {
    const std::string folder = "/tmp/apus-crash-" + std::to_string(getpid());
    REQUIRE(mkdir(folder.c_str(), 0700) == 0);
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        prepare();
        crash_log crashes;
        if (!crashes.write_files(folder)) _exit(1);
        crashes.shut_down_on_crash(ends[1]);
        if (fork() == 0) std::raise(SIGSEGV);
        wait(nullptr);
        send(ends[1], "", 1, 0);
        write_hangs = true;
        std::raise(SIGSEGV);
        _exit(0);
    }
    close(ends[1]);
    char byte = 0;
    CHECK(recv(ends[0], &byte, 1, 0) == 1);
    CHECK(recv(ends[0], &byte, 1, 0) == 0);
    CHECK(waitpid(child, nullptr, WNOHANG) == 0);  // it still writes its report
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    close(ends[0]);
    std::filesystem::remove_all(folder);
}

TEST_CASE("a report that cannot be written does not keep the process alive") {
    const std::string folder = "/tmp/apus-crash-" + std::to_string(getpid());
    REQUIRE(mkdir(folder.c_str(), 0700) == 0);
    const auto text = said_by_process(
        "logfmt",
        [&folder] {
            prepare();
            crash_log crashes;
            const signal_stack stack;
            if (!crashes.write_files(folder)) return;
            write_hangs = true;
            std::raise(SIGSEGV);
        },
        -SIGSEGV);
    CHECK(text.empty());
    std::filesystem::remove_all(folder);
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

TEST_CASE("damaged lists of waiting tasks do not prevent a report") {
    for (const bool cyclic : {false, true}) {
        const auto folder = std::filesystem::temp_directory_path() / ("apus-crash-" + std::to_string(getpid()));
        std::filesystem::create_directory(folder);
        const auto text = said_by_process(
            "logfmt",
            [&] {
                prepare();
                crash_log crashes;
                const signal_stack stack;
                CHECK(crashes.write_files(folder));
                log::info("before");
                runtime::loop l(runtime::make_epoll_backend());
                crashes.watch(*runtime::activity::here(), pthread_self());
                detail::promise_base tasks[3];
                for (auto& task : tasks) task.suspend();
                tasks[1].prev = cyclic ? tasks : reinterpret_cast<detail::suspension_link*>(std::uintptr_t{16});
                tasks[1].caller = tasks + 1;
                std::raise(SIGSEGV);
            },
            -SIGSEGV);
        CHECK(text.contains("msg=\"the process crashed\""));
        std::string report;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            std::ifstream file(entry.path());
            report.assign(std::istreambuf_iterator<char>(file), {});
        }
        std::filesystem::remove_all(folder);
        CHECK(report.starts_with("apus crash report 1\nsignal\tSIGSEGV\n"));
        CHECK(report.ends_with("\nend\n"));
    }
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
