// SPDX-License-Identifier: Apache-2.0
#include "sockets.hpp"

#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace load {
namespace {

// The kernel identifies a connection by the addresses and ports of both sides; the side that closes first keeps the
// connection in TIME_WAIT for a minute. One source address has 28,000 ports by default, which a fast server uses up in
// a second. Therefore, with frequent reconnects, connections use different addresses of 127.0.0.0/8: about 5
// million combinations. Closing with SO_LINGER 0 would avoid TIME_WAIT, but sends a reset: browsers do not do this, and
// the server would have less work than in production.
constexpr std::uint32_t sources = 200;
constexpr unsigned ports_of_one_source = 20'000;

}  // namespace

void make_room_for(unsigned connections) {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    constexpr unsigned others = 32;  // descriptors for standard streams and rings, and a reserve
    if (limit.rlim_max < connections + others)
        refuse("the limit of open files is " + std::to_string(limit.rlim_max) + ", too low for " +
               std::to_string(connections) + " connections: raise it with `ulimit -Hn " +
               std::to_string(connections + others) + "` as root");
}

socket_source::socket_source(const options& o)
    : spread_((o.per_connection > 0 || o.connections > ports_of_one_source) &&
              ntohl(o.address.sin_addr.s_addr) >> 24 == 127) {}

int socket_source::make() {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (!spread_) return fd;
    // Lets connect() choose a port that is free for this destination.
    ::setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    sockaddr_in source{};
    source.sin_family = AF_INET;
    source.sin_addr.s_addr = htonl(INADDR_LOOPBACK + next_++ % sources);
    if (::bind(fd, reinterpret_cast<const sockaddr*>(&source), sizeof source) == 0) return fd;
    const int why = errno;
    ::close(fd);
    return -why;
}

}  // namespace load
