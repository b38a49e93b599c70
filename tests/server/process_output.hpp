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

/// What a process with this APUS_LOG writes to its standard error when it runs `program` and ends, which
/// it must do with this status: of `exit`, or minus the number of a signal.
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
