// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace apus::test {

/// Runs a function in a child process, since a process cannot leave a sandbox.
/// Returns the result of the function, or the negative number of the signal that ended the process.
template <class F>
int result_inside(F f) {
    const pid_t child = fork();
    if (child == 0) {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        for (const int number : {SIGSYS, SIGSEGV, SIGABRT}) std::signal(number, SIG_DFL);
        _exit(f());
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace apus::test
