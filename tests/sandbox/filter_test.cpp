// SPDX-License-Identifier: Apache-2.0
#include "sandbox/filter.hpp"

#include "sandbox/inside.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace apus::sandbox;
using apus::test::result_inside;

namespace {

// Runs a filter as the kernel does, on any machine. `reads`: set to true if the filter loads an argument of the call.
std::uint32_t run(const std::vector<sock_filter>& filter, const seccomp_data& call, bool* reads = nullptr) {
    std::uint32_t a = 0;
    for (std::size_t at = 0; at < filter.size(); ++at) {
        const sock_filter& f = filter[at];
        switch (f.code) {
            case BPF_LD | BPF_W | BPF_ABS:
                std::memcpy(&a, reinterpret_cast<const char*>(&call) + f.k, sizeof a);
                if (reads && f.k != offsetof(seccomp_data, nr) && f.k != offsetof(seccomp_data, arch)) *reads = true;
                break;
            case BPF_ALU | BPF_AND | BPF_K: a &= f.k; break;
            case BPF_JMP | BPF_JA: at += f.k; break;
            case BPF_JMP | BPF_JEQ | BPF_K: at += a == f.k ? f.jt : f.jf; break;
            case BPF_JMP | BPF_JGE | BPF_K: at += a >= f.k ? f.jt : f.jf; break;
            case BPF_JMP | BPF_JSET | BPF_K: at += a & f.k ? f.jt : f.jf; break;
            case BPF_RET | BPF_K: return f.k;
            default: throw std::logic_error("unknown instruction");
        }
    }
    throw std::logic_error("the filter has no end");
}

std::string shown(std::uint32_t result) {
    if (result == SECCOMP_RET_ALLOW) return "allowed";
    if (result == SECCOMP_RET_TRAP) return "fatal";
    if (result == SECCOMP_RET_KILL_PROCESS) return "killed";
    if (result == (SECCOMP_RET_ERRNO | EPERM)) return "EPERM";
    if (result == (SECCOMP_RET_ERRNO | ENOSYS)) return "ENOSYS";
    return std::to_string(result);
}

int number_of(std::string_view name, machine on) {
    for (const auto& group : system_call_table())
        for (const auto& call : group.calls)
            if (call.name == name) return call.number(on);
    throw std::logic_error("no call " + std::string(name));
}

std::string try_number(const filter_options& o, int number, std::initializer_list<std::uint64_t> arguments = {}) {
    seccomp_data call{};
    call.nr = number;
    call.arch = o.on == machine::x86_64 ? AUDIT_ARCH_X86_64 : AUDIT_ARCH_AARCH64;
    std::copy(arguments.begin(), arguments.end(), call.args);
    return shown(run(make_filter(o), call));
}

constexpr std::uint32_t self = 4711;

struct call_case {
    std::string_view call;
    std::initializer_list<std::uint64_t> arguments;
    std::string_view by_default, with_everything;
};

const call_case cases[] = {
    {"read", {}, "allowed", "allowed"},
    {"close_range", {}, "allowed", "allowed"},
    {"io_uring_enter", {}, "allowed", "allowed"},
    {"ptrace", {}, "fatal", "fatal"},
    {"mount", {}, "fatal", "fatal"},
    {"bpf", {}, "fatal", "fatal"},
    {"clone3", {}, "ENOSYS", "ENOSYS"},
    {"execve", {}, "EPERM", "allowed"},
    {"clone", {SIGCHLD}, "EPERM", "allowed"},
    {"clone", {CLONE_VM | CLONE_THREAD}, "allowed", "allowed"},
    {"clone", {CLONE_VM | CLONE_THREAD | CLONE_NEWUSER}, "EPERM", "EPERM"},
    {"clone", {CLONE_NEWNET}, "EPERM", "EPERM"},
    {"socket", {AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC}, "EPERM", "allowed"},
    {"socket", {AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC}, "allowed", "allowed"},
    {"socket", {AF_INET, SOCK_STREAM}, "EPERM", "allowed"},
    {"socket", {AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK}, "EPERM", "allowed"},
    {"socket", {AF_INET, SOCK_RAW}, "EPERM", "EPERM"},
    {"socket", {AF_NETLINK, SOCK_RAW, 0}, "allowed", "allowed"},
    {"socket", {AF_NETLINK, SOCK_RAW, 12}, "EPERM", "EPERM"},
    {"socket", {AF_PACKET, SOCK_DGRAM}, "EPERM", "EPERM"},
    {"socket", {AF_VSOCK, SOCK_STREAM}, "EPERM", "EPERM"},
    // The kernel ignores the upper half of this argument.
    {"socket", {(std::uint64_t{1} << 32) | AF_PACKET, SOCK_DGRAM}, "EPERM", "EPERM"},
    {"ioctl", {0, TIOCSTI}, "EPERM", "EPERM"},
    {"ioctl", {0, (std::uint64_t{1} << 32) | TIOCSTI}, "EPERM", "EPERM"},
    {"ioctl", {0, FIONREAD}, "allowed", "allowed"},
    {"kill", {self}, "allowed", "allowed"},
    {"kill", {1}, "EPERM", "allowed"},
    {"kill", {~std::uint64_t{0}}, "EPERM", "allowed"},
    {"tgkill", {self, 4712}, "allowed", "allowed"},
    {"prlimit64", {0}, "allowed", "allowed"},
    {"prlimit64", {self}, "allowed", "allowed"},
    {"prlimit64", {1}, "EPERM", "allowed"},
    {"utimensat", {3, 0}, "allowed", "allowed"},
    {"utimensat", {3, 1}, "EPERM", "EPERM"},
    {"utimensat", {3, std::uint64_t{1} << 32}, "EPERM", "EPERM"},
    {"tkill", {self}, "EPERM", "allowed"},
    {"pidfd_send_signal", {3}, "EPERM", "allowed"},
};

}  // namespace

TEST_CASE("sandbox: the filter decides by call and arguments, on both machines") {
    for (const machine on : {machine::x86_64, machine::aarch64}) {
        const filter_options few{.process = self, .on = on};
        const filter_options all{.internet = true,
                                 .unix_streams = true,
                                 .programs = true,
                                 .other_processes = true,
                                 .process = self,
                                 .on = on};
        for (const auto& c : cases) {
            INFO(c.call);
            CHECK(try_number(few, number_of(c.call, on), c.arguments) == c.by_default);
            CHECK(try_number(all, number_of(c.call, on), c.arguments) == c.with_everything);
        }
        CHECK(try_number(few, 9999) == "ENOSYS");
        CHECK(try_number(few, -1) == "ENOSYS");
        CHECK(make_filter(all).size() < BPF_MAXINSNS);
    }
}

TEST_CASE("sandbox: calls of another architecture end the process") {
    seccomp_data call{};
    call.arch = AUDIT_ARCH_I386;
    CHECK(shown(run(make_filter({.on = machine::x86_64}), call)) == "killed");
    call.arch = AUDIT_ARCH_X86_64;
    CHECK(shown(run(make_filter({.on = machine::aarch64}), call)) == "killed");
    // The x32 variants of the calls.
    call.nr = 0x40000000;
    CHECK(shown(run(make_filter({.on = machine::x86_64}), call)) == "ENOSYS");
}

// In this order: setuid, chmod, fchmodat, fchownat, keyctl, clock_settime, io_uring_setup, unshare, personality,
// execveat, perf_event_open, userfaultfd, process_madvise, semget, shmget, msgget, mq_open, io_setup, utimes.
TEST_CASE("sandbox: calls for users, modes and times by path, keys, clocks, IPC and new rings are refused") {
    for (const auto& [x86, arm] : {std::pair(105, 146),
                                   {90, -1},
                                   {268, 53},
                                   {260, 54},
                                   {250, 219},
                                   {227, 112},
                                   {425, 425},
                                   {272, 97},
                                   {135, 92},
                                   {322, 281},
                                   {298, 241},
                                   {323, 282},
                                   {440, 440},
                                   {64, 190},
                                   {29, 194},
                                   {68, 186},
                                   {240, 180},
                                   {206, 0},
                                   {235, -1}}) {
        CHECK(try_number({.on = machine::x86_64}, x86) == "EPERM");
        if (arm >= 0) CHECK(try_number({.on = machine::aarch64}, arm) == "EPERM");
    }
}

TEST_CASE("sandbox: an active filter applies to all threads") {
    REQUIRE(has_filters());
    CHECK(result_inside([] {
              std::thread other;
              std::atomic<int> stage = 0, result = 0;
              other = std::thread([&] {
                  while (stage == 0) std::this_thread::yield();
                  result = unshare(CLONE_NEWUSER) == 0 ? 0 : errno;
              });
              if (const int error = activate_filter(make_filter({.process = static_cast<std::uint32_t>(getpid())})))
                  return error;
              stage = 1;
              other.join();
              return result.load();
          }) == EPERM);
    CHECK(result_inside([] {
              if (const int error = activate_filter(make_filter({}))) return error;
              return mount("none", "/mnt", "tmpfs", 0, nullptr);
          }) == -SIGSYS);
}

// The kernel emulates a new filter for each number. It never runs the filter for the numbers that are allowed without
// loading an argument (kernel/seccomp.c, seccomp_is_const_allow).
TEST_CASE("sandbox: the kernel needs not run the filter for the calls of a request") {
    for (const machine on : {machine::x86_64, machine::aarch64}) {
        for (const std::string_view name :
             {"recvfrom", "sendto", "sendmsg", "read", "write", "epoll_wait", "epoll_pwait", "epoll_ctl",
              "io_uring_enter", "accept4", "close", "shutdown", "sendfile", "futex"}) {
            CAPTURE(name);
            seccomp_data call{};
            call.nr = number_of(name, on);
            call.arch = on == machine::x86_64 ? AUDIT_ARCH_X86_64 : AUDIT_ARCH_AARCH64;
            if (call.nr < 0) continue;  // aarch64 has no epoll_wait
            bool reads = false;
            CHECK(shown(run(make_filter({.on = on}), call, &reads)) == "allowed");
            CHECK(!reads);
        }
    }
}

TEST_CASE("sandbox: another filter of a thread is reported") {
    CHECK(result_inside([] {
              std::atomic<int> stage = 0;
              std::thread other([&] {
                  sock_filter allow[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
                  const sock_fprog all{1, allow};
                  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
                  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &all);
                  stage = 1;
                  while (stage == 1) std::this_thread::yield();
              });
              while (stage == 0) std::this_thread::yield();
              const int result = activate_filter(make_filter({}));
              stage = 2;
              other.join();
              return result == -1 ? 1 : 2;
          }) == 1);
}
