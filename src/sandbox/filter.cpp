// SPDX-License-Identifier: Apache-2.0
#include "sandbox/filter.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <map>

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace apus::sandbox {
namespace {

using program = std::vector<sock_filter>;

constexpr std::uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;
constexpr std::uint32_t namespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

// Returns the offset of the lower half of an argument. The upper half is ignored, since the kernel and the C library
// treat these arguments as 32-bit integers.
constexpr std::uint32_t argument(unsigned n) {
    return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + sizeof(std::uint64_t) * n);
}

void load(program& p, std::uint32_t offset) { p.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)); }
void finish(program& p, std::uint32_t result) { p.push_back(BPF_STMT(BPF_RET | BPF_K, result)); }

// Appends instructions that return `result` if the loaded value equals `value`.
void finish_if(program& p, std::uint32_t value, std::uint32_t result) {
    p.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    finish(p, result);
}

void finish_if_any_bit(program& p, std::uint32_t bits, std::uint32_t result) {
    p.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
    finish(p, result);
}

// Appends instructions that load the second argument of socket(2), without its flags.
void load_type(program& p) {
    load(p, argument(1));
    p.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xf));
}

// Appends the instructions of `body`, which run if the loaded value is `value`. The instructions must end with a
// return.
template <class Body>
void when(program& p, std::uint32_t value, Body body) {
    program inner;
    body(inner);
    p.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, static_cast<std::uint8_t>(inner.size())));
    p.insert(p.end(), inner.begin(), inner.end());
}

// Allows NETLINK_ROUTE, with which getaddrinfo(3) lists the addresses of this machine. Refuses raw and packet sockets,
// and rarely used families with a history of kernel bugs.
void check_socket(program& p, const filter_options& o) {
    load(p, argument(0));
    when(p, AF_UNIX, [&](program& in) {
        load_type(in);
        finish_if(in, SOCK_DGRAM, SECCOMP_RET_ALLOW);
        finish(in, o.unix_streams ? SECCOMP_RET_ALLOW : refuse);
    });
    for (const std::uint32_t family : {std::uint32_t{AF_INET}, std::uint32_t{AF_INET6}}) {
        when(p, family, [&](program& in) {
            if (!o.internet) return finish(in, refuse);
            load_type(in);
            finish_if(in, SOCK_STREAM, SECCOMP_RET_ALLOW);
            finish_if(in, SOCK_DGRAM, SECCOMP_RET_ALLOW);
            finish(in, refuse);
        });
    }
    when(p, AF_NETLINK, [&](program& in) {
        load(in, argument(2));
        finish_if(in, 0, SECCOMP_RET_ALLOW);  // NETLINK_ROUTE
        finish(in, refuse);
    });
    finish(p, refuse);
}

void check_clone(program& p, const filter_options& o) {
    load(p, argument(0));
    finish_if_any_bit(p, namespaces, refuse);
    if (!o.programs) finish_if_any_bit(p, CLONE_THREAD, SECCOMP_RET_ALLOW);
    finish(p, o.programs ? SECCOMP_RET_ALLOW : refuse);
}

// Refuses TIOCSTI and TIOCLINUX, which insert input into a terminal: the shell that started the server would read it.
void check_ioctl(program& p) {
    load(p, argument(1));
    finish_if(p, TIOCSTI, refuse);
    finish_if(p, TIOCLINUX, refuse);
    finish(p, SECCOMP_RET_ALLOW);
}

void check_process(program& p, const filter_options& o) {
    if (o.other_processes) return finish(p, SECCOMP_RET_ALLOW);
    load(p, argument(0));
    finish_if(p, o.process, SECCOMP_RET_ALLOW);
    finish(p, refuse);
}

void check_limits(program& p, const filter_options& o) {
    if (!o.other_processes) {
        load(p, argument(0));
        finish_if(p, 0, SECCOMP_RET_ALLOW);
    }
    check_process(p, o);
}

// A null pointer has two halves of zeros.
void check_path(program& p) {
    constexpr std::uint32_t all = ~std::uint32_t{0};
    for (const std::uint32_t half : {0U, 4U}) {
        load(p, argument(1) + half);
        finish_if_any_bit(p, all, refuse);
    }
    finish(p, SECCOMP_RET_ALLOW);
}

void treat(program& p, treatment how, const filter_options& o) {
    switch (how) {
        case treatment::allowed: return finish(p, SECCOMP_RET_ALLOW);
        case treatment::refused: return finish(p, refuse);
        case treatment::unknown: return finish(p, SECCOMP_RET_ERRNO | ENOSYS);
        case treatment::fatal: return finish(p, SECCOMP_RET_TRAP);
        case treatment::of_sockets: return check_socket(p, o);
        case treatment::of_threads: return check_clone(p, o);
        case treatment::of_devices: return check_ioctl(p);
        case treatment::of_own_process: return check_process(p, o);
        case treatment::of_own_limits: return check_limits(p, o);
        case treatment::of_open_files: return check_path(p);
        case treatment::of_any_process: return finish(p, o.other_processes ? SECCOMP_RET_ALLOW : refuse);
        case treatment::of_new_programs: return finish(p, o.programs ? SECCOMP_RET_ALLOW : refuse);
    }
}

// Consecutive system call numbers with the same treatment, from `from` to the beginning of the next range.
struct range {
    std::uint32_t from;
    treatment how;
};

std::vector<range> make_ranges(machine on) {
    std::map<std::uint32_t, treatment> by_number;
    for (const auto& group : system_call_table())
        for (const auto& call : group.calls)
            if (call.number(on) >= 0) by_number.emplace(static_cast<std::uint32_t>(call.number(on)), group.how);
    std::vector<range> all;
    std::uint32_t next = 0;
    const auto add = [&](std::uint32_t from, treatment how) {
        if (all.empty() || all.back().how != how) all.push_back({from, how});
    };
    for (const auto& [number, how] : by_number) {
        if (number != next) add(next, treatment::refused);
        add(number, how);
        next = number + 1;
    }
    add(next, treatment::unknown);
    return all;
}

// Appends a binary search for the loaded system call number; a search takes about seven comparisons. Conditional jumps
// have 8-bit offsets, so an unconditional jump with a 32-bit offset follows each of them.
void search(program& p, const range* begin, const range* end, const filter_options& o) {
    if (end - begin == 1) return treat(p, begin->how, o);
    const range* const middle = begin + (end - begin) / 2;
    p.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, middle->from, 0, 1));
    const std::size_t jump = p.size();
    p.push_back(BPF_STMT(BPF_JMP | BPF_JA, 0));
    search(p, begin, middle, o);
    p[jump].k = static_cast<std::uint32_t>(p.size() - jump - 1);
    search(p, middle, end, o);
}

}  // namespace

std::vector<sock_filter> make_filter(const filter_options& o) {
    program p;
    load(p, offsetof(seccomp_data, arch));
    const std::uint32_t arch = o.on == machine::x86_64 ? AUDIT_ARCH_X86_64 : AUDIT_ARCH_AARCH64;
    p.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, arch, 1, 0));
    finish(p, SECCOMP_RET_KILL_PROCESS);
    load(p, offsetof(seccomp_data, nr));
    const auto ranges = make_ranges(o.on);
    search(p, ranges.data(), ranges.data() + ranges.size(), o);
    return p;
}

int activate_filter(const std::vector<sock_filter>& filter) noexcept {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    const sock_fprog all{static_cast<unsigned short>(filter.size()), const_cast<sock_filter*>(filter.data())};
    // Without SPEC_ALLOW, kernels before 5.16 disable speculative store bypass, which slows down the process.
    constexpr unsigned flags = SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    const long done = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &all);
    if (done > 0) return -1;
    return done == 0 ? 0 : errno;
}

bool has_filters() noexcept {
    const std::uint32_t action = SECCOMP_RET_TRAP;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

}  // namespace apus::sandbox
