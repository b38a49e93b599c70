// SPDX-License-Identifier: Apache-2.0
#include "support/tcp_proxy.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace apus::support {
namespace {

using clock = std::chrono::steady_clock;

[[noreturn]] void fail_by_errno(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

/// A connection with the bytes that wait for each side.
struct tcp_proxy::link {
    int client, server;
    bool ended = false;
    clock::time_point answers_at{};   // until this time, bytes from the server are delayed
    clock::time_point requests_at{};  // until this time, bytes from the client are delayed
    std::string to_client = {}, to_server = {};
};

tcp_proxy::tcp_proxy(std::string socket_path)
    : path_(std::move(socket_path)),
      listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)),
      bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    auto* address = reinterpret_cast<sockaddr*>(&at);
    if (listener_ < 0 || ::bind(listener_, address, size) != 0 || ::listen(listener_, 128) != 0 ||
        ::getsockname(listener_, address, &size) != 0)
        fail_by_errno("proxy");
    port_ = ntohs(at.sin_port);
    thread_ = std::thread([this] { run(); });
}

tcp_proxy::~tcp_proxy() {
    stops_ = true;
    wake();
    thread_.join();
    close_all(false);
    ::close(listener_);
    ::close(bell_);
}

void tcp_proxy::wake() const noexcept {
    const std::uint64_t one = 1;
    [[maybe_unused]] auto n = ::write(bell_, &one, sizeof one);
}

void tcp_proxy::set(mode m) noexcept {
    mode_ = m;
    wake();
}

void tcp_proxy::accept_one() {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (client < 0) return;
    ++accepted_;
    const int on = 1;
    ::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    path_.copy(to.sun_path, sizeof to.sun_path - 1);
    const int server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    link made{client, server};
    // Connecting to a Unix socket either succeeds or fails at once.
    made.ended = ::connect(server, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0;
    links_.push_back(std::move(made));
}

void tcp_proxy::close_all(bool by_reset) {
    const linger hard{1, 0};
    for (const link& l : links_) {
        if (by_reset) ::setsockopt(l.client, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        ::close(l.client);
        ::close(l.server);
    }
    links_.clear();
}

// Reads once and writes pending bytes. Returns false if the connection has ended.
bool tcp_proxy::move(int from, int to, std::string& waiting) {
    char bytes[16384];
    if (waiting.size() < 1 << 20) {
        const ssize_t n = ::recv(from, bytes, sizeof bytes, 0);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return false;
        if (n > 0) waiting.append(bytes, static_cast<std::size_t>(n));
    }
    if (waiting.empty() || to < 0) return true;
    const ssize_t sent = ::send(to, waiting.data(), waiting.size(), MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    waiting.erase(0, static_cast<std::size_t>(sent));
    return true;
}

bool tcp_proxy::forward_requests(link& l) {
    if (clock::now() < l.requests_at) return true;
    const bool had = !l.to_server.empty();
    if (!move(l.client, !had && request_delay_ ? -1 : l.server, l.to_server)) return false;
    if (had || l.to_server.empty() || !request_delay_) return true;
    constexpr std::string_view cancel("\0\0\0\x10\x04\xd2\x16\x2e", 8);
    if (l.to_server.starts_with(cancel)) return move(l.client, l.server, l.to_server);
    l.requests_at = clock::now() + std::chrono::milliseconds(request_delay_.load());
    return true;
}

void tcp_proxy::run() {
    while (!stops_) {
        std::vector<pollfd> all = {{bell_, POLLIN, 0}, {listener_, POLLIN, 0}};
        const bool forwards = mode_ == mode::forward;
        int wait = -1;
        const auto now = clock::now();
        for (const link& l : links_) {
            const bool held = now < l.answers_at, slow = now < l.requests_at;
            if (held || slow) wait = 1;
            all.push_back({forwards && !slow ? l.client : -1,
                           static_cast<short>(POLLIN | (l.to_client.empty() || held ? 0 : POLLOUT)), 0});
            all.push_back({forwards && !held ? l.server : -1,
                           static_cast<short>(POLLIN | (l.to_server.empty() || slow ? 0 : POLLOUT)), 0});
        }
        if (::poll(all.data(), all.size(), wait) < 0 && errno != EINTR) return;
        std::uint64_t count = 0;
        [[maybe_unused]] auto n = ::read(bell_, &count, sizeof count);
        if (all[1].revents) accept_one();
        if (mode_ == mode::reset) close_all(true);
        if (mode_ != mode::forward) continue;
        for (link& l : links_) {
            if (!l.ended && !forward_requests(l)) l.ended = true;
            const bool had = !l.to_client.empty();
            const bool held = clock::now() < l.answers_at;
            if (!l.ended && !held && !move(l.server, !had && delay_ ? -1 : l.client, l.to_client)) l.ended = true;
            if (!had && !l.to_client.empty() && delay_)
                l.answers_at = clock::now() + std::chrono::milliseconds(delay_.load());
            if (l.ended) ::close(l.client), ::close(l.server);
        }
        std::erase_if(links_, [](const link& l) { return l.ended; });
    }
}

}  // namespace apus::support
