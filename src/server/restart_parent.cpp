// SPDX-License-Identifier: Apache-2.0
#include "server/restart_parent.hpp"

#include <charconv>
#include <cstring>
#include <string_view>

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace apus::server {

bool restart_parent::needed() noexcept { return getpid() == 1; }

restart_parent::restart_parent() : socket_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    // Binding to an address without a name makes the kernel choose a free abstract address (unix(7), autobind).
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    socklen_t size = sizeof at.sun_family;
    const int on = 1;
    setsockopt(socket_, SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
    if (bind(socket_, reinterpret_cast<const sockaddr*>(&at), size) != 0) return;
    size = sizeof at;
    if (getsockname(socket_, reinterpret_cast<sockaddr*>(&at), &size) == 0)
        address_ = "@" + std::string(at.sun_path + 1, size - sizeof at.sun_family - 1);
}

restart_parent::~restart_parent() { close(socket_); }

void restart_parent::forward(int signal) noexcept {
    read_messages();
    if (main_ > 1) kill(main_, signal);
}

// Accepts MAINPID= only from the process that serves.
void restart_parent::read_messages() noexcept {
    constexpr std::string_view key = "MAINPID=";
    while (true) {
        char text[512];
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred))];
        iovec part{text, sizeof text};
        msghdr m{};
        m.msg_iov = &part;
        m.msg_iovlen = 1;
        m.msg_control = control;
        m.msg_controllen = sizeof control;
        const ssize_t n = recvmsg(socket_, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        if (n < 0) return;
        const std::string_view message(text, static_cast<std::size_t>(n));
        const cmsghdr* const c = CMSG_FIRSTHDR(&m);
        ucred sender{};
        if (c && c->cmsg_type == SCM_CREDENTIALS) std::memcpy(&sender, CMSG_DATA(c), sizeof sender);
        const std::size_t at = message.find(key);
        if (sender.pid != main_ || at == message.npos) continue;
        pid_t next = -1;
        std::from_chars(message.data() + at + key.size(), message.data() + message.size(), next);
        if (next <= 1) continue;
        earlier_.push_back(main_);
        main_ = next;
    }
}

int restart_parent::run(int signals) {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &child, nullptr);
    const int ends = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    for (int result = -1;;) {
        int status = 0;
        for (pid_t one; (one = waitpid(-1, &status, WNOHANG)) > 0;) {
            read_messages();
            std::erase(earlier_, one);
            if (one == main_) result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        // Earlier processes may still have requests in flight, for at most their drain deadline.
        if (result >= 0 && earlier_.empty()) {
            close(ends);
            return result;
        }
        pollfd watched[] = {{signals, POLLIN, 0}, {ends, POLLIN, 0}, {socket_, POLLIN, 0}};
        poll(watched, 3, -1);
        signalfd_siginfo info;
        while (read(ends, &info, sizeof info) == sizeof info) {}
        read_messages();
        while (read(signals, &info, sizeof info) == sizeof info) forward(static_cast<int>(info.ssi_signo));
    }
}

}  // namespace apus::server
