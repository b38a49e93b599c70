// SPDX-License-Identifier: Apache-2.0
#include "server/crash_log.hpp"

#include "sandbox/system_calls.hpp"
#include "server/last_records.hpp"
#include "server/log_context.hpp"
#include "server/request_summary.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <new>
#include <string_view>

#include <unistd.h>

namespace apus::server {
namespace {

struct fatal {
    int number;
    std::string_view name;
};
constexpr fatal fatal_signals[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
                                   {SIGILL, "SIGILL"},   {SIGABRT, "SIGABRT"}, {SIGSYS, "SIGSYS"}};

std::string_view name_of(int number) noexcept {
    for (const fatal& f : fatal_signals)
        if (f.number == number) return f.name;
    return "?";
}

std::atomic<pid_t> crashing = 0;  // the thread that writes the record

// Returns the name of the system call that the sandbox refused, or an empty text for another cause.
std::string_view refused_call(int number, const siginfo_t& info) noexcept {
    constexpr int by_filter = 1;  // SYS_SECCOMP, which glibc does not define
    return number == SIGSYS && info.si_code == by_filter ? sandbox::name_of_system_call(info.si_syscall) : "";
}

// Several threads may crash at the same time, for example for lack of memory. The other threads wait for 1 s, so that
// the first thread can write its record: the default action would end the process. Once the default action is restored,
// a fault occurs again at the same instruction. A signal sent by a process or by the sandbox does not occur again, so
// this function raises it.
void crashed(int number, siginfo_t* info, void*) noexcept {
    constexpr timespec longest_record{.tv_sec = 1, .tv_nsec = 0};
    pid_t first = 0;
    if (const pid_t self = gettid(); crashing.compare_exchange_strong(first, self)) {
        const auto r = request_summary::here();
        const log::field given[] = {{"signal", name_of(number)},
                                    optional_field("system_call", refused_call(number, *info)),
                                    optional_field("target", r.target)};
        write_crash_record("the process crashed", fields_of_request(given).all());
    } else if (first != self) {
        nanosleep(&longest_record, nullptr);
    }
    signal(number, SIG_DFL);
    if (info->si_code <= 0 || number == SIGSYS) raise(number);
}

}  // namespace

crash_log::crash_log() noexcept {
    for (const fatal& f : fatal_signals) {
        struct sigaction before{};
        if (sigaction(f.number, nullptr, &before) != 0 || (before.sa_flags & SA_SIGINFO) ||
            before.sa_handler != SIG_DFL)
            continue;
        struct sigaction ours{};
        ours.sa_sigaction = crashed;
        ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&ours.sa_mask);
        sigaction(f.number, &ours, nullptr);
    }
}

crash_log::~crash_log() {
    for (const fatal& f : fatal_signals) {
        struct sigaction now{};
        if (sigaction(f.number, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == crashed)
            signal(f.number, SIG_DFL);
    }
}

signal_stack::signal_stack() noexcept {
    constexpr std::size_t size = 64 * 1024;  // a log line is formatted on this stack
    stack_t before{};
    if (sigaltstack(nullptr, &before) != 0 || !(before.ss_flags & SS_DISABLE)) return;
    bytes_.reset(new (std::nothrow) char[size]);
    const stack_t ours{.ss_sp = bytes_.get(), .ss_flags = 0, .ss_size = size};
    if (bytes_) sigaltstack(&ours, nullptr);
}

signal_stack::~signal_stack() {
    const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
    if (bytes_) sigaltstack(&none, nullptr);
}

}  // namespace apus::server
