// SPDX-License-Identifier: Apache-2.0
#include "net/listener.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
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
// this case.
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
    if (bind(fd, at.address(), at.size()) != 0 || listen(fd, backlog) != 0) return cannot(at, errno);
    l.where_ = endpoint::of(fd);
    l.where_.copy_protocols(at);
    l.removes_path_ = at.is_unix();
    return l;
}

listener listener::inherit(int fd, const endpoint& at, sharing how) {
    listener l(fd, endpoint::of(fd));
    l.where_.copy_protocols(at);
    l.inherited_ = true;
    l.shared_ = true;
    l.borrowed_ = how == sharing::until_owned;
    l.takes_path_ = l.borrowed_ && l.where_.is_unix() && !l.where_.path().starts_with('@');
    const int on = 1;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    setsockopt(fd, SOL_SOCKET, SO_DETACH_FILTER, &on, sizeof on);  // removes a filter of `refuse_new`
    if (!l.where_.is_unix()) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return l;
}

std::expected<listener, std::string> listener::again() const {
    // Inherited sockets are duplicated: with a new socket, the kernel would distribute connections to this process at
    // once, although another process shares the inherited sockets and still serves.
    if (!where_.is_unix() && !inherited_) return bound(where_);
    const int fd = fcntl(fd_, F_DUPFD_CLOEXEC, 3);
    if (fd < 0) return std::unexpected("cannot share " + where_.url() + ": " + std::strerror(errno));
    listener l(fd, where_);
    l.inherited_ = inherited_;
    l.shared_ = shared_;
    l.borrowed_ = borrowed_;
    return l;
}

listener::listener(listener&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      where_(other.where_),
      inherited_(other.inherited_),
      shared_(other.shared_),
      borrowed_(other.borrowed_),
      removes_path_(std::exchange(other.removes_path_, false)),
      takes_path_(std::exchange(other.takes_path_, false)) {}

listener::~listener() {
    if (fd_ < 0) return;
    close(fd_);
    if (removes_path_) unlink(where_.path().c_str());
}

void listener::defer_accept() noexcept {
    // The kernel converts the time to a number of SYN-ACK retransmissions: one second is one retransmission.
    const int second = 1;
    if (!where_.is_unix()) setsockopt(fd_, IPPROTO_TCP, TCP_DEFER_ACCEPT, &second, sizeof second);
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
