// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <thread>
#include <vector>

namespace limit {

[[noreturn]] inline void give_up(const char* what, int error) {
    std::fprintf(stderr, "%s failed: %s\n", what, std::strerror(error));
    std::exit(1);
}

/// Sets an option to 1.
inline void turn_on(int socket, int level, int option) {
    int on = 1;
    if (setsockopt(socket, level, option, &on, sizeof on)) give_up("setsockopt", errno);
}

/// Returns a listening socket for one thread.
/// The kernel distributes connections over all sockets of the port, and delays each until its first bytes arrive.
inline int listen_at(int port, int flags) {
    int listener = socket(AF_INET, SOCK_STREAM | flags, 0);
    if (listener < 0) give_up("socket", errno);
    turn_on(listener, SOL_SOCKET, SO_REUSEADDR);
    turn_on(listener, SOL_SOCKET, SO_REUSEPORT);
    turn_on(listener, IPPROTO_TCP, TCP_DEFER_ACCEPT);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address)) give_up("bind", errno);
    if (listen(listener, 4096)) give_up("listen", errno);
    return listener;
}

/// Returns the element for a descriptor's connection, created on first use.
template <class Connection>
Connection& at_descriptor(std::vector<Connection>& all, int descriptor) {
    auto index = static_cast<std::size_t>(descriptor);
    if (index >= all.size()) all.resize(index * 2 + 64);
    return all[index];
}

/// Runs `serve(port)` on the number of threads in the arguments `PORT THREADS`.
inline int run(int count, char** arguments, void (*serve)(int port)) {
    if (count != 3) {
        std::fprintf(stderr, "usage: %s PORT THREADS\n", arguments[0]);
        return 2;
    }
    int port = std::atoi(arguments[1]);
    std::signal(SIGPIPE, SIG_IGN);
    std::vector<std::jthread> others;
    for (int i = 1; i < std::atoi(arguments[2]); ++i) others.emplace_back(serve, port);
    serve(port);
    return 0;
}

}  // namespace limit
