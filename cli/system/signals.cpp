// SPDX-License-Identifier: Apache-2.0
#include "cli/system/signals.hpp"

#include <csignal>

#include <unistd.h>

#include "cli/errors/failure.hpp"

namespace apus::cli::system {

namespace {

volatile std::sig_atomic_t came = 0;

void note(int signal) {
    if (came) {
        std::signal(signal, SIG_DFL);
        raise(signal);
    }
    came = signal;
}

}  // namespace

void handle_signals() {
    struct sigaction action{};
    action.sa_handler = note;
    sigemptyset(&action.sa_mask);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

void throw_if_interrupted() {
    if (came) throw errors::interruption(came);
}

int received_signal() noexcept { return came; }

void end_by(int signal) {
    std::signal(signal, SIG_DFL);
    sigset_t all;
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    raise(signal);
    _exit(128 + signal);
}

}  // namespace apus::cli::system
