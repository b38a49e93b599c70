// SPDX-License-Identifier: Apache-2.0
#include "idle.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "sockets.hpp"

namespace load {
namespace {

constexpr unsigned at_once = 50;  // number of connections between two pauses, in which the server can accept them
constexpr useconds_t a_moment = 2'000;
constexpr int tries = 3;

int open_one(socket_source& sockets, const sockaddr_in& address) {
    for (int i = 0; i < tries; ++i) {
        const int fd = sockets.make();
        if (fd < 0) continue;
        if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
        ::close(fd);
        ::usleep(a_moment);
    }
    return -1;
}

}  // namespace

unsigned stay_idle(const options& o) {
    socket_source sockets(o);
    std::vector<int> open;
    unsigned failed = 0;
    while (open.size() + failed < o.connections) {
        const int fd = open_one(sockets, o.address);
        if (fd < 0) ++failed;
        else open.push_back(fd);
        if ((open.size() + failed) % at_once == 0) ::usleep(a_moment);
        if (failed >= tries && open.empty()) break;
    }
    std::printf("{\"open\":%zu}\n", open.size());
    std::fflush(stdout);
    char bytes[256];
    while (::read(STDIN_FILENO, bytes, sizeof bytes) > 0) continue;
    return o.connections - unsigned(open.size());
}

}  // namespace load
