// SPDX-License-Identifier: Apache-2.0
#include "server/test_connection.hpp"

#include "http/connection.hpp"
#include "runtime/loop.hpp"
#include "server/response_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <optional>
#include <string>
#include <system_error>

#include <sys/socket.h>
#include <unistd.h>

namespace apus::server {
namespace {

class http1_connection final : public test_connection {
public:
    explicit http1_connection(http::core& to) : test_connection(to) {}

    void send(std::string_view request) override { send_bytes(request); }
    std::optional<test::response> next(bool to_head) override { return reader_.next(to_head); }
    bool advance(bool to_head) override { return reader_.advance(to_head); }
    bool has_head() const noexcept override { return reader_.has_head(); }
    test::response& now() noexcept override { return reader_.now(); }

private:
    void take(std::string_view bytes) override { reader_.append(bytes); }
    void take_end() override { reader_.end(); }

    response_reader reader_;
};

}  // namespace

std::unique_ptr<test_connection> connect_http1(http::core& to) { return std::make_unique<http1_connection>(to); }

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
            take({bytes, static_cast<std::size_t>(n)});
        } else {
            ended_ = true;
            take_end();
        }
    }
}

void test_connection::send_bytes(std::string_view bytes) {
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
