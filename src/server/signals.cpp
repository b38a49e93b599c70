// SPDX-License-Identifier: Apache-2.0
#include "server/signals.hpp"

#include <initializer_list>

#include <fcntl.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace apus::server {
namespace {

// Whether the process has a terminal: /dev/tty cannot be opened after the terminal was closed.
bool has_terminal() noexcept {
    const int fd = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

bool has_default_action(int number) noexcept {
    struct sigaction now{};
    return sigaction(number, nullptr, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL;
}

}  // namespace

signals::signals() : had_terminal_(has_terminal()) {
    sigset_t ours;
    sigemptyset(&ours);
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&ours, number);
    if (has_default_action(SIGUSR2)) sigaddset(&ours, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &ours, &before_);
    fd_ = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
    if (has_default_action(SIGPIPE)) std::signal(SIGPIPE, SIG_IGN);
}

signals::~signals() {
    close(fd_);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

signals::taken signals::read() noexcept {
    signalfd_siginfo info;
    if (::read(fd_, &info, sizeof info) != sizeof info) return {};
    const int number = static_cast<int>(info.ssi_signo);
    if (number == SIGUSR2) return {kind::restart, number, static_cast<int>(info.ssi_pid)};
    if (number != SIGHUP || (had_terminal_ && !has_terminal())) return {kind::stop, number};
    return {kind::reload, number};
}

}  // namespace apus::server
