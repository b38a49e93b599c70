// SPDX-License-Identifier: Apache-2.0
#include "net/listener.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace apus::net {
namespace {

constexpr int backlog = 4096;  // the kernel limits it to net.core.somaxconn

// Removes the Unix socket of a killed server; keeps a socket that is in use.
void remove_stale(const endpoint& at) {
    struct stat s;
    if (lstat(at.path().c_str(), &s) != 0 || !S_ISSOCK(s.st_mode)) return;
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe >= 0 && connect(probe, at.address(), at.size()) != 0 && errno == ECONNREFUSED) unlink(at.path().c_str());
    close(probe);
}

// With SO_REUSEPORT, two servers of one user could share a port unnoticed. A probe socket without this option detects
// it.
bool is_taken(const endpoint& at) {
    int probe = socket(at.address()->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe < 0) return false;
    int on = 1;
    setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    bool taken = bind(probe, at.address(), at.size()) != 0 && errno == EADDRINUSE;
    close(probe);
    return taken;
}

std::unexpected<std::string> cannot(const endpoint& at, int error) {
    auto why = "cannot listen on " + at.url() + ": " + std::strerror(error);
    if (error == EADDRINUSE) why += "; another program listens there: stop it, or choose another port with --port";
    if (error == EACCES) why += "; ports below 1024 and folders of other users require more privileges";
    return std::unexpected(why);
}

}  // namespace

std::expected<listener, std::string> listener::open(const endpoint& at) {
    if (!at.is_unix() && is_taken(at)) return cannot(at, EADDRINUSE);
    return bound(at);
}

std::expected<listener, std::string> listener::bound(const endpoint& at) {
    int fd = socket(at.address()->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return std::unexpected("cannot create a socket for " + at.url() + ": " + std::strerror(errno));
    listener l(fd, at);
    int on = 1;
    if (at.is_unix()) {
        remove_stale(at);
    } else {
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);  // accepted connections inherit it
    }
    if (bind(fd, at.address(), at.size()) != 0 || listen(fd, backlog) != 0) {
        int error = errno;
        l.where_ = {};  // the path belongs to another process
        return cannot(at, error);
    }
    l.where_ = endpoint::of(fd);
    l.where_.copy_scheme(at);
    return l;
}

std::expected<listener, std::string> listener::again() const {
    if (!where_.is_unix()) return bound(where_);
    int fd = dup(fd_);
    if (fd < 0) return std::unexpected("cannot share " + where_.url() + ": " + std::strerror(errno));
    listener l(fd, where_);
    l.where_ = {};
    return l;
}

listener::listener(listener&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), where_(std::exchange(other.where_, {})) {}

listener::~listener() {
    if (fd_ < 0) return;
    close(fd_);
    if (where_.is_unix()) unlink(where_.path().c_str());
}

void listener::refuse_new() noexcept {
    // Drops only SYNs: a client whose last ACK is in transit is already connected.
    sock_filter drop_syn[] = {
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 13),            // the flags of the TCP header (RFC 9293, 3.1)
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x02, 0, 1),  // SYN
        BPF_STMT(BPF_RET | BPF_K, 0),
        BPF_STMT(BPF_RET | BPF_K, 0xffffffff),
    };
    sock_fprog program{4, drop_syn};
    setsockopt(fd_, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

}  // namespace apus::net
