// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/collected_output.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include <sys/wait.h>

namespace apus::test {

/// Returns the standard error of a child process that runs `program` with this value of APUS_LOG.
/// The process must end with the exit status `wanted`, or by the signal of that number if it is negative.
template <class F>
std::string said_by_process(const char* setting, F program, int wanted = 0) {
    collected_output out;
    std::cout.flush();
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        dup2(out.input(), 2);
        setenv("APUS_LOG", setting, 1);
        program();
        std::exit(0);
    }
    out.read_on();
    out.close_input();
    int status = -1;
    waitpid(child, &status, 0);
    CHECK((WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status)) == wanted);
    return out.all();
}

}  // namespace apus::test
