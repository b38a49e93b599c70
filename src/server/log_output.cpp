// SPDX-License-Identifier: Apache-2.0
#include "server/log_output.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace apus::server {
namespace {

log_output::kind kind_of(int fd) {
    struct stat s{};
    if (fstat(fd, &s) != 0) return log_output::kind::other;
    if (S_ISREG(s.st_mode)) return log_output::kind::file;
    return S_ISSOCK(s.st_mode) ? log_output::kind::stream_socket : log_output::kind::other;
}

// A pipe that poll(2) reports as writable has room for at least PIPE_BUF bytes, so a write of up to PIPE_BUF bytes does
// not block, even on a blocking descriptor.
long write_little(int fd, const iovec& first) {
    return ::write(fd, first.iov_base, std::min<std::size_t>(first.iov_len, PIPE_BUF));
}

long send_now(int fd, const iovec* pieces, int count) {
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(pieces);
    message.msg_iovlen = static_cast<std::size_t>(count);
    return sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

}  // namespace

log_output::log_output(int fd) noexcept : fd_(fd), kind_(kind_of(fd)) {}

bool log_output::ready(int also) const noexcept {
    pollfd both[] = {{fd_, POLLOUT, 0}, {also, POLLIN, 0}};
    if (kind_ == kind::file || fd_ < 0) return true;  // poll would ignore a negative descriptor and wait
    poll(both, 2, -1);
    return both[0].revents != 0;
}

long log_output::write(const iovec* pieces, int count) const noexcept {
    long written = 0;
    if (kind_ == kind::file) written = writev(fd_, pieces, std::min(count, IOV_MAX));
    else if (kind_ == kind::stream_socket) written = send_now(fd_, pieces, std::min(count, IOV_MAX));
    else written = write_little(fd_, pieces[0]);
    if (written >= 0) return written;
    return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

}  // namespace apus::server
