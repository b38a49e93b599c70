// SPDX-License-Identifier: Apache-2.0
#include "sandbox/sandbox.hpp"

#include "sandbox/filter.hpp"
#include "sandbox/inside.hpp"
#include "support/skipped.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace apus::sandbox;
using apus::test::result_inside;

namespace {

int opened(const char* path) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return errno;
    close(fd);
    return 0;
}

// Makes these system calls fail with ENOSYS, as on a kernel without them.
void remove_calls(std::initializer_list<long> numbers) {
    std::vector<sock_filter> filter = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0)};
    for (const long n : numbers) {
        filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(n), 0, 1));
        filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
    }
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    const sock_fprog all{static_cast<unsigned short>(filter.size()), filter.data()};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &all);
}

// Enters the sandbox. Returns the missing parts, or "failed: " and the error message.
std::string missing(const plan& p) try {
    auto entered = prepared_sandbox(p).enter();
    if (!entered) return "failed: " + entered.error();
    std::string all;
    for (const auto& part : entered->missing) all += part + "; ";
    return all;
} catch (const std::runtime_error& e) {
    return std::string("failed: ") + e.what();
}

bool is_complete() {
    if (landlock::version() >= 4 && has_filters()) return true;
    apus::support::skip("the kernel has no Landlock of version 4");
    return false;
}

}  // namespace

TEST_CASE("sandbox: files, sockets and programs are restricted together") {
    if (!is_complete()) return;
    CHECK(result_inside([] {
              const plan p{.paths = {{"/etc/hostname", rights::read}, {"/no/such/file", rights::read, true}},
                           .complete = true};
              std::thread before([] { usleep(20'000); });
              if (!missing(p).empty()) return 101;
              before.join();
              if (opened("/etc/hostname") != 0 || opened("/etc/passwd") != EACCES) return 102;
              if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM) return 103;
              int result = 0;
              std::thread([&] { result = opened("/etc/passwd"); }).join();
              return result == EACCES && fork() < 0 && errno == EPERM ? 0 : 104;
          }) == 0);
}

TEST_CASE("sandbox: parts that the kernel lacks are named, or prevent the start") {
    if (!is_complete()) return;
    struct lack_case {
        std::vector<long> calls;
        plan what;
        std::string says;
    };
    const plan open_ports{.ports = {443}};
    plan all = open_ports;
    all.complete = true;
    const std::string no_landlock = "files (Landlock, Linux 5.13, is missing or disabled)";
    const std::string no_filter = "system calls (seccomp is missing or disabled)";
    const lack_case lacks[] = {
        {{SYS_landlock_create_ruleset}, {}, no_landlock + "; "},
        {{SYS_landlock_create_ruleset}, open_ports, no_landlock + "; TCP ports (Linux 6.7); "},
        {{SYS_seccomp}, {}, no_filter + "; "},
        {{SYS_seccomp}, all, "failed: sandbox: this kernel does not restrict " + no_filter},
        {{SYS_landlock_create_ruleset}, all, "failed: sandbox: this kernel does not restrict " + no_landlock},
    };
    for (const auto& c : lacks) {
        INFO(c.says);
        CHECK(result_inside([&] {
                  remove_calls({c.calls[0]});
                  return missing(c.what) == c.says ? 0 : 1;
              }) == 0);
    }
}

TEST_CASE("sandbox: a required path must exist when the sandbox is prepared") {
    if (!is_complete()) return;
    CHECK_THROWS_WITH_AS(prepared_sandbox({.paths = {{"/no/such/file", rights::read}}}),
                         "sandbox: cannot allow `/no/such/file`: No such file or directory", std::runtime_error);
    CHECK(opened("/etc/passwd") == 0);
}
