// SPDX-License-Identifier: Apache-2.0
#include "server/test_connection.hpp"

#include "http/connection.hpp"
#include "runtime/loop.hpp"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

#include <sys/socket.h>
#include <unistd.h>

namespace apus::server {

int connection_to(http::core& to) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::system_error(errno, std::generic_category(), "socketpair");
    to.open(ends[1], runtime::protocols::every).start();
    return ends[0];
}

test_connection::test_connection(http::core& to) : loop_(to.loop), fd_(connection_to(to)) {}

test_connection::~test_connection() { ::close(fd_); }

void test_connection::take_input() {
    char bytes[16 * 1024];
    while (!ended_) {
        const ssize_t n = ::recv(fd_, bytes, sizeof bytes, 0);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (n > 0) {
            reader.append({bytes, static_cast<std::size_t>(n)});
        } else {
            ended_ = true;
            reader.end();
        }
    }
}

void test_connection::send(std::string_view bytes) {
    while (!bytes.empty() && !ended_) {
        const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
        else if (n < 0 && errno != EAGAIN) return;  // the app no longer reads, but may have sent a response
        else loop_.turn(1), take_input();
    }
}

void test_connection::wait(std::uint64_t due, duration patience) {
    run_loop_until(loop_, due, patience);
    take_input();
}

void run_loop_until(runtime::loop& loop, std::uint64_t due, duration patience) {
    if (loop.now() >= due)
        throw std::runtime_error("no response within " + std::to_string(patience.milliseconds()) + " ms");
    loop.turn(1);
}

void settle(runtime::loop& loop) {
    constexpr int enough = 4;  // io_uring reports some events one loop iteration late
    for (int i = 0; i < enough; ++i) loop.turn(0);
}

void advance(runtime::loop& loop, duration by) {
    settle(loop);
    for (std::int64_t left = by.milliseconds(); left > 0;) {
        const auto due = loop.timers().next_due();
        std::int64_t step = left;
        if (due) step = std::clamp<std::int64_t>(static_cast<std::int64_t>(*due - std::min(*due, loop.now())), 1, left);
        loop.io().clock().move(step);
        left -= step;
        settle(loop);
    }
}

}  // namespace apus::server
