// SPDX-License-Identifier: Apache-2.0
#include "testing/child_process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace apus::testing {
namespace {

// Runs between fork and exec: only async-signal-safe calls, since the program may have threads.
[[noreturn]] void become(char* const* arguments, identity who, const char* output) {
    if (::geteuid() == 0 && who.user != 0 &&
        (::setgroups(0, nullptr) != 0 || ::setgid(who.group) != 0 || ::setuid(who.user) != 0))
        ::_exit(126);
    ::prctl(PR_SET_PDEATHSIG, SIGQUIT);  // after the change of user, which resets it
    const int out = ::open(output, O_CREAT | O_WRONLY | O_APPEND, 0644);
    const int in = ::open("/dev/null", O_RDONLY);
    if (out < 0 || in < 0) ::_exit(125);
    ::dup2(in, 0);
    ::dup2(out, 1);
    ::dup2(out, 2);
    if (::chdir("/") != 0) ::_exit(124);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execv(arguments[0], arguments);
    ::_exit(127);
}

}  // namespace

child_process::child_process(const std::vector<std::string>& command, identity who, const std::string& output) {
    std::vector<char*> arguments(command.size() + 1);
    std::ranges::transform(command, arguments.begin(),
                           [](const auto& word) { return const_cast<char*>(word.c_str()); });
    pid_ = ::fork();
    if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (pid_ == 0) become(arguments.data(), who, output.c_str());
}

child_process::~child_process() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

bool child_process::wait(std::chrono::milliseconds longest) {
    const auto deadline = std::chrono::steady_clock::now() + longest;
    for (;;) {
        int how = 0;
        if (::waitpid(pid_, &how, WNOHANG) == pid_) {
            status_ = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
            pid_ = -1;
            return true;
        }
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

}  // namespace apus::testing
