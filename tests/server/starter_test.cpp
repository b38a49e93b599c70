// SPDX-License-Identifier: Apache-2.0
#include "server/starter.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace apus::server;

namespace {

// The starter starts this test program again, with the arguments and the environment of the test. The tests inspect the
// new process, and wait for its end.
struct channel {
    int ends[2];
    channel() { REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0); }
    channel(const channel&) = delete;
    channel& operator=(const channel&) = delete;
    ~channel() {
        close(ends[0]);
        close(ends[1]);
    }
};

std::string text_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::set<pid_t> children() {
    std::istringstream ids(text_of("/proc/self/task/" + std::to_string(getpid()) + "/children"));
    return {std::istream_iterator<pid_t>(ids), {}};
}

// Returns the ID of the forked starter: the child of this process that is not `other`.
pid_t starter_beside(pid_t other) {
    const auto ids = children();
    const auto found = std::ranges::find_if(ids, [other](pid_t one) { return one != other; });
    return found == ids.end() ? -1 : *found;
}

sigset_t no_signals() {
    sigset_t none;
    sigemptyset(&none);
    return none;
}

}  // namespace

TEST_CASE("a starter starts the program as a child of this process, with sockets and environment") {
    const program_start program;
    const sigset_t mask = no_signals();
    starter outside(program, mask);
    channel socket, report;
    // Set after the starter was forked, so not in the environment of programs that it starts.
    setenv("APUS_LATER", "1", 1);
    const std::vector<passed_socket> sockets(300, passed_socket{socket.ends[0], "web"});
    const auto pid = outside.start(sockets, report.ends[1], "@address");
    unsetenv("APUS_LATER");
    REQUIRE(pid);
    kill(*pid, SIGSTOP);
    const std::string environment = text_of("/proc/" + std::to_string(*pid) + "/environ");
    CHECK(environment.contains(std::string("LISTEN_FDS=300\0", 15)));
    CHECK(environment.contains(std::string("APUS_RESTART=303\0", 17)));
    CHECK(environment.contains(std::string("NOTIFY_SOCKET=@address\0", 23)));
    CHECK(!environment.contains("APUS_LATER"));
    CHECK(text_of("/proc/" + std::to_string(*pid) + "/cmdline") == text_of("/proc/self/cmdline"));
    CHECK(getpgid(*pid) == *pid);
    outside.kill();
    int status = 0;
    CHECK(waitpid(*pid, &status, 0) == *pid);  // fails unless it is a child of this process
    CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
}

TEST_CASE("a started program has its SIGKILL when `kill` returns, before its ID can be used again") {
    const program_start program;
    const sigset_t mask = no_signals();
    starter outside(program, mask);
    const channel report;
    for (int i = 0; i < 20; ++i) {
        const auto pid = outside.start({}, report.ends[1], "");
        REQUIRE(pid);
        kill(*pid, SIGSTOP);  // it is this test program, and must not run the test
        const int ended = static_cast<int>(syscall(SYS_pidfd_open, *pid, 0));
        const pid_t helper = starter_beside(*pid);
        outside.kill();
        kill(helper, SIGSTOP);  // so that a signal that was not sent yet is not sent
        pollfd exit{ended, POLLIN, 0};
        CHECK(poll(&exit, 1, 1000) == 1);
        close(ended);
        kill(helper, SIGCONT);
        kill(*pid, SIGKILL);
        CHECK(waitpid(*pid, nullptr, 0) == *pid);
    }
}

TEST_CASE("a program that a stopped starter starts too late is killed, and not taken for a later one") {
    const program_start program;
    const sigset_t mask = no_signals();
    starter outside(program, mask, std::chrono::milliseconds(5000));
    const channel report;
    const pid_t helper = starter_beside(-1);
    kill(helper, SIGSTOP);
    const auto late = outside.start({}, report.ends[1], "");
    REQUIRE(!late);
    CHECK(late.error() == "the program was not started in time");
    kill(helper, SIGCONT);
    const auto pid = outside.start({}, report.ends[1], "");
    REQUIRE(pid);
    kill(*pid, SIGSTOP);
    CHECK(children() == std::set{helper, *pid});
    outside.kill();
    CHECK(waitpid(*pid, nullptr, 0) == *pid);
}

TEST_CASE("a starter reports why the program was not started, and leaves no process") {
    char folder[] = "/tmp/apus-starter-XXXXXX";
    REQUIRE(mkdtemp(folder));
    const int before = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    REQUIRE(chdir(folder) == 0);
    const program_start program;
    REQUIRE(fchdir(before) == 0);
    close(before);
    REQUIRE(rmdir(folder) == 0);  // so that chdir(2) to the working directory of the program fails
    const sigset_t mask = no_signals();
    {
        starter outside(program, mask);
        const channel report;
        for (int i = 0; i < 2; ++i) {
            const auto pid = outside.start({}, report.ends[1], "");
            REQUIRE(!pid);
            CHECK(pid.error().contains("cannot be started: No such file or directory"));
        }
    }
    CHECK(waitpid(-1, nullptr, WNOHANG) == -1);  // this process has no children
}

TEST_CASE("a starter that has ended is reported, and has no other descriptors than the standard streams") {
    const program_start program;
    const sigset_t mask = no_signals();
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    {
        starter outside(program, mask);
        close(ends[1]);
        pollfd closed{ends[0], POLLIN, 0};
        CHECK(poll(&closed, 1, 5000) == 1);  // the starter has closed its copy
    }
    close(ends[0]);
    CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
}
